"""Clusters of this machine, and a corpus whose undisturbed output all others are compared with."""

import sys

import pytest
from corpus.written import SETTINGS as UNITS
from corpus.written import tree, write_inputs

from wordsplit import corpus

SETTINGS = UNITS | {"progress": False}


@pytest.fixture(scope="session")
def inputs(tmp_path_factory):
    return write_inputs(tmp_path_factory.mktemp("inputs"))


@pytest.fixture(scope="session")
def whole(inputs, tmp_path_factory):
    out = tmp_path_factory.mktemp("whole") / "out"
    corpus.encode(inputs, out, **SETTINGS)
    return tree(out)


@pytest.fixture(scope="session")
def settings():
    return SETTINGS


@pytest.fixture(scope="session", autouse=True)
def same_python():
    """Spark's workers run this Python."""
    import os

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["RAY_DISABLE_IMPORT_WARNING"] = "1"
    os.environ["RAY_ENABLE_UV_RUN_RUNTIME_ENV"] = "0"
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"


@pytest.fixture(scope="module")
def ray_cluster(same_python):
    """A cluster of this machine, with two processors."""
    import ray

    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, _node_ip_address="127.0.0.1")
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def spark_session(same_python):
    """A Spark of this machine, with two processors, that tries a task ten times."""
    from pyspark.sql import SparkSession

    made = (
        SparkSession.builder.master("local[2, 10]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .getOrCreate()
    )
    made.sparkContext.setLogLevel("OFF")
    yield made
    made.stop()
