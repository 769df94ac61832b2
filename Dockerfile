# The sync controller. Built from the repository: docker build -t ack-loadbalancer:<version> .
FROM node:24.21.0-alpine AS build
WORKDIR /src
COPY . .
RUN npm ci --ignore-scripts --no-audit --no-fund \
    && npx tsc -p . \
    && npm pack --ignore-scripts --pack-destination /tmp
WORKDIR /app
# Only what the controller loads, in the versions of the lock file: Pulumi and the SDKs of its providers are peers, for programs.
RUN cp /src/package-lock.json . \
    && npm init --yes >/dev/null \
    && npm install --omit=dev --omit=peer --legacy-peer-deps --ignore-scripts --no-audit --no-fund /tmp/ack-loadbalancer-*.tgz

FROM node:24.21.0-alpine
WORKDIR /app
COPY --from=build --chown=0:0 /app /app
# The user has no entry in /etc/passwd: whoever looks for its home finds this one.
ENV NODE_ENV=production HOME=/
USER 65532:65532
EXPOSE 8080
ENTRYPOINT ["node", "/app/node_modules/ack-loadbalancer/dist/cli/main.js"]
CMD ["sync"]
