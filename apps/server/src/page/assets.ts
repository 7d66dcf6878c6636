/**
 * The files the page's build left, by name: what is not in the folder's list at start does not exist. Names with a
 * hash never change their content. Texts lie there compressed.
 */
import { createReadStream, existsSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { Problem } from '../http/problem.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
};
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
] as const;
const HASHED = /-[\w-]{8}\.\w+$/;
const FOR_EVER = 'public, max-age=31536000, immutable';

export type Assets = (name: string, request: Request, response: Response) => Readable | Problem;

export function openAssets(folder: string): Assets {
  const names = new Set(existsSync(folder) ? readdirSync(folder) : []);
  return (name, request, response) => {
    const type = TYPES[extname(name)];
    if (type === undefined || !names.has(name)) return noSuchAsset(name);
    const encoding = ENCODINGS.find(
      (each) => names.has(name + each.ending) && accepts(request.headers['accept-encoding'], each.name),
    );
    response.setHeader('Content-Type', type);
    response.setHeader('Cache-Control', HASHED.test(name) ? FOR_EVER : 'public, max-age=3600');
    response.setHeader('Vary', 'Accept-Encoding');
    if (encoding) response.setHeader('Content-Encoding', encoding.name);
    return createReadStream(join(folder, name + (encoding?.ending ?? '')));
  };
}

/** After an update an open page may ask for a part of the old one. */
const noSuchAsset = (name: string): Problem =>
  new Problem(404, 'no-such-asset', `The page has no part ${name}; after an update, reload it.`);

const accepts = (header: string | undefined, encoding: string): boolean =>
  (header ?? '')
    .split(',')
    .some((part) => part.trim().split(';')[0] === encoding && !/;\s*q=0(\.0*)?$/.test(part.trim()));
