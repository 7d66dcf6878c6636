/**
 * sink/postgres: chooses between Millrace's own database and another one, and puts into words what neither
 * waiting nor a dead letter can mend.
 */
import type { OpenSink, SinkConnector, SinkContext } from '@millrace/engine';
import { readSettings } from '../shared/settings.ts';
import { explainSqlError } from './explain-sql-error.ts';
import { openInOtherDatabase } from './other-database.ts';
import { openInOwnDatabase } from './own-database.ts';
import { postgresSinkConfig } from './spec.ts';
import { targetOf } from './target.ts';

export const postgresSink: SinkConnector = {
  egress: 'line',
  async open(config, context): Promise<OpenSink> {
    const settings = readSettings(postgresSinkConfig, config, context);
    const target = targetOf(settings);
    const worded = <T>(tried: string, work: Promise<T>): Promise<T> =>
      work.catch((error) => {
        throw explainSqlError(
          { node: context.nodeName, tried: `${tried} its table ${target.sqlName}`, remedies: REMEDIES },
          error,
        );
      });
    const opening =
      settings.url === undefined
        ? openInOwnDatabase(context, target)
        : urlOf(settings.url, context).then((url) => openInOtherDatabase(context, target, url));
    const sink = await worded('open', opening);
    return {
      get through() {
        return sink.through;
      },
      deliver: (batch, signal) => worded('write to', sink.deliver(batch, signal)),
      close: () => sink.close(),
    };
  },
};

async function urlOf(url: string | { secret: string }, context: SinkContext): Promise<string> {
  return typeof url === 'string' ? url : context.secret(url.secret);
}

/** Of what only writing can meet. */
const REMEDIES: Readonly<Record<string, string>> = {
  '42501': 'Grant the right to create and write tables there, or name a schema where it is granted.',
  '42P01': 'The table was dropped while it was written to: start again, and it is made anew.',
  '42703': 'The table was changed while it was written to: put the column back, or change the settings.',
  '42P10': 'The unique index of the key was dropped: put it back and start again.',
  '3F000': 'Create the schema, or name one that is there.',
};
