# Kripke with the compilers that it uses:
#
#   docker build -t kripke .
#   docker run --rm -v "$PWD:/project" kripke check main.c
FROM rust:1-bookworm AS build
WORKDIR /kripke
COPY . .
RUN scripts/install-packages build && cargo build --release --package kripke-cli

FROM debian:bookworm-slim
RUN apt-get -qq update && \
    apt-get -qq -y --no-install-recommends install clang libc6-dev gcc-avr avr-libc make && \
    rm -rf /var/lib/apt/lists/*
COPY --from=build /kripke/target/release/kripke /usr/local/bin/kripke
WORKDIR /project
ENTRYPOINT ["kripke"]
