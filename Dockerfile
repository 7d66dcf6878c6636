# The server in a container. State lies in the volume /data, or in the Postgres of DATABASE_URL. On Linux the walls
# around user code are namespaces: where the container may not make them, the README (Security) says what is left.
FROM node:22-bookworm-slim
WORKDIR /millrace
COPY . .
RUN npm ci --no-audit --no-fund --include=dev && npm run build && node samples/prepare.mjs \
  && mkdir /data && chown node:node /data
USER node
ENV MILLRACE_HOST=0.0.0.0 MILLRACE_PORT=4780 MILLRACE_DATA=/data
VOLUME /data
EXPOSE 4780
HEALTHCHECK --interval=5s --timeout=4s --start-period=30s --retries=6 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:4780/healthz?standby=ok').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/cli/bin/millrace.mjs", "serve"]
