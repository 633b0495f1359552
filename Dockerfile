# The lessons in Docker: JupyterLab, without root, on port 8888.
#
#     docker build --tag minigrad .
#     docker run --rm --publish 127.0.0.1:8888:8888 --volume minigrad:/course minigrad
#
# It prints the address with its token. The volume keeps the notebooks. For Chinese, append
# `minigrad-lab --lang zh --no-browser -- --ip=0.0.0.0` to the second command.
#
# `docker build --target marking --tag minigrad-marking .` makes the image in which submissions are marked where
# bubblewrap does not work (docs/teaching.md).

FROM python:3.12.12-slim-bookworm@sha256:593bd06efe90efa80dc4eee3948be7c0fde4134606dd40d8dd8dbcade98e669c AS build
WORKDIR /source
COPY . .
RUN pip wheel --no-cache-dir --no-deps --wheel-dir /wheels .

FROM python:3.12.12-slim-bookworm@sha256:593bd06efe90efa80dc4eee3948be7c0fde4134606dd40d8dd8dbcade98e669c AS lessons
RUN apt-get update \
    && apt-get install --yes --no-install-recommends fonts-dejavu-core fonts-noto-cjk libglib2.0-0 libxext6 libxrender1 \
    && rm -rf /var/lib/apt/lists/*
COPY binder/requirements.txt /tmp/requirements.txt
RUN pip install --no-cache-dir --no-deps --require-hashes --requirement /tmp/requirements.txt
COPY --from=build /wheels /wheels
RUN pip install --no-cache-dir --no-deps /wheels/*.whl && rm -r /wheels

# The sandbox of marking.py has no solutions.
FROM lessons AS marking
RUN python -m minigrad_lessons.grading.solutions remove all
WORKDIR /tmp

FROM lessons
RUN useradd --create-home --home-dir /course --uid 1000 student
USER student
WORKDIR /course
EXPOSE 8888
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8888/api', timeout=5)"]
CMD ["minigrad-lab", "--no-browser", "--", "--ip=0.0.0.0", "--port=8888"]
