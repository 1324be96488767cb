# The Linux executable on a base without a shell: npm run package && docker build -t opac .
# docker run --rm -v "$PWD:/data" opac objects export --mock -o objects.csv
FROM debian:12-slim AS libraries
# Node 26 needs libatomic, which the base does not have.
# hadolint ignore=DL3008
RUN apt-get update && apt-get install --no-install-recommends -y libatomic1 && rm -rf /var/lib/apt/lists/*

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=libraries /usr/lib/x86_64-linux-gnu/libatomic.so.1 /usr/lib/x86_64-linux-gnu/libatomic.so.1
COPY release/opac-linux-x64 /usr/local/bin/opac
WORKDIR /data
ENTRYPOINT ["/usr/local/bin/opac"]
