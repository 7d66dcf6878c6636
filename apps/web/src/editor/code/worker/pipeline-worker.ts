/**
 * Monaco's TypeScript worker, which also checks the whole pipeline: with the very code the server checks with
 * (`@millrace/compiler/check`), so that both say the same. What Monaco asks about the code that is shown is answered
 * by its own project of open files; the check has one of its own, made of the texts it is given.
 */
import {
  type CheckRequest,
  type CheckResult,
  type EarlierProgram,
  type Installed,
  typeCheckSteps,
} from '@millrace/compiler/check';
import { libFileMap } from 'monaco-editor/languages/features/typescript/lib/lib';
import { type RenameInfo, TypeScriptWorker } from 'monaco-editor/languages/features/typescript/tsWorker';
import { codeWords } from '../../../text/strings/code.ts';

const SDK = 'file:///sdk/';
/** Nodes and shared code, and what is generated beside nodes. */
const OWN = /^file:\/\/\/(n_[^/]*|lib)\/.*(?<!\.d\.ts)$/;
/** So long at most does what somebody asks for while typing wait for the check. */
const SLICE_MS = 24;

export class PipelineWorker extends TypeScriptWorker {
  readonly #earlier: EarlierProgram = { sources: new Map(), program: undefined };
  #installed: Installed | undefined;
  #round = 0;

  /** Undefined: a newer check was asked for meanwhile. */
  async checkPipeline(request: CheckRequest): Promise<CheckResult | undefined> {
    this.#round += 1;
    const mine = this.#round;
    this.#installed ??= { libs: readLibs(), sdk: this.#readSdk() };
    const steps = typeCheckSteps(request, this.#installed, this.#earlier);
    let until = performance.now() + SLICE_MS;
    for (;;) {
      const step = steps.next();
      if (step.done === true) return step.value;
      if (performance.now() < until) continue;
      await new Promise((resolve) => setTimeout(resolve));
      if (mine !== this.#round) return undefined;
      until = performance.now() + SLICE_MS;
    }
  }

  /** What the SDK or the language calls so cannot be called otherwise in one pipeline. */
  override async getRenameInfo(file: string, position: number, options: unknown): Promise<RenameInfo> {
    const info = await super.getRenameInfo(file, position, options);
    if (!info.canRename) return info;
    const places = (await this.findRenameLocations(file, position, false, false, false)) ?? [];
    const isOthers = places.some(({ fileName }) => !OWN.test(fileName));
    return isOthers ? { canRename: false, localizedErrorMessage: codeWords.notYours } : info;
  }

  #readSdk(): ReadonlyMap<string, string> {
    return new Map(
      Object.entries(this.getExtraLibs()).flatMap(([path, { content }]) =>
        path.startsWith(SDK) ? [[path.slice('file://'.length), content] as const] : [],
      ),
    );
  }
}

const readLibs = (): ReadonlyMap<string, string> =>
  new Map(Object.entries(libFileMap).filter(([name]) => /^lib\.(es|decorators)[\w.]*\.d\.ts$/.test(name)));
