/**
 * Monaco takes more than 200 listeners on one of its events for a leak and throws, unasked, with each further model. A
 * pipeline of 300 nodes has as many models on purpose. Every other error goes where it went.
 */
import { errorHandler } from 'monaco-editor/base/common/errors';

const before = errorHandler.unexpectedErrorHandler;
errorHandler.unexpectedErrorHandler = (error) => {
  if (!(error instanceof Error && error.name === 'ListenerLeakError')) before(error);
};
