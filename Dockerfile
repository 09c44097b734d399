# The suite, and the reference server that it is proved by.
#   docker build -t conformance .
#   docker run --rm --init -v "$PWD:/work" conformance run --config conformance.toml
#   docker build -t reference-server --target reference .
#   docker run --rm -p 8765:8765 reference-server threads --transport http --host 0.0.0.0 --port 8765 --test-conditions
ARG PYTHON=3.11

FROM python:${PYTHON}-slim AS build
WORKDIR /source
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY conformance conformance
COPY reference_server reference_server
COPY schemas schemas
RUN python -m venv /opt/conformance \
 && /opt/conformance/bin/python -m pip install --no-cache-dir --constraint requirements.lock ".[reference,generate]"

FROM python:${PYTHON}-slim AS base
COPY --from=build /opt/conformance /opt/conformance
# Servers under test are started in here: nothing of it runs as root.
RUN useradd --uid 10001 --create-home --shell /usr/sbin/nologin conformance \
 && install --directory --owner conformance /work
ENV PATH=/opt/conformance/bin:$PATH PYTHONUNBUFFERED=1
USER 10001
WORKDIR /work

FROM base AS reference
ENTRYPOINT ["python", "-m", "reference_server"]
CMD ["--help"]

FROM base AS suite
ENTRYPOINT ["conformance"]
CMD ["--help"]
