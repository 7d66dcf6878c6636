/** The live part of the server, put together: what features need at first, and sockets once there is a listener. */
import type http from 'node:http';
import { filterLauncher } from '@millrace/deployment';
import type { Store } from '@millrace/store';
import type { Logger } from 'pino';
import type { AccountServices } from '../accounts/account-services.ts';
import type { DocumentHub } from '../documents/document-hub.ts';
import { DocumentSession } from '../documents/document-session.ts';
import { editAudit } from '../documents/edit-audit.ts';
import type { Authenticate } from '../http/create-app.ts';
import type { Feature } from '../http/handler.ts';
import { pageBuild } from '../page/page-build.ts';
import { pageFolder } from '../page/page-folder.ts';
import { version } from '../version.ts';
import { liveFeature, observedOf } from './live-feature.ts';
import { type LiveSockets, liveSockets } from './live-sockets.ts';
import type { LiveSource } from './live-source.ts';
import { visiblePipeline } from './live-visibility.ts';
import { ViewBoard } from './view-board.ts';

export interface LiveOptions {
  readonly store: Store;
  readonly services: AccountServices;
  readonly source: LiveSource;
  readonly authenticate: Authenticate;
  readonly documents: DocumentHub;
  readonly log: Logger;
}

export interface Live {
  readonly feature: Feature;
  /** Opens the sockets on a server that listens, or will. */
  attach(server: http.Server): LiveSockets;
  close(): Promise<void>;
}

export function live({ store, services, source, authenticate, documents, log }: LiveOptions): Live {
  const board = new ViewBoard(source);
  const filters = filterLauncher();
  const edited = editAudit({ database: store.database, log });
  let sockets: LiveSockets | undefined;
  return {
    feature: liveFeature({ store, source, board, sockets: () => sockets?.count() ?? 0 }),
    attach(server) {
      sockets = liveSockets({
        http: server,
        site: services.site,
        authenticate,
        access: services.access,
        source,
        board,
        filters,
        isVisible: visiblePipeline(store),
        observed: (pipeline) => observedOf(store, pipeline),
        documents: (socket, actor) =>
          new DocumentSession({ hub: documents, entries: store.catalog.entries, edited, socket, actor }),
        build: pageBuild(pageFolder()) ?? version,
        log,
      });
      return sockets;
    },
    async close() {
      board.close();
      await sockets?.close();
      await filters.close();
    },
  };
}
