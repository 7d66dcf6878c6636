/** The one part of Monaco we reach that it has no types for. */
declare module 'monaco-editor/base/common/errors' {
  export const errorHandler: { unexpectedErrorHandler: (error: unknown) => void };
}
