"""The HTTP side, fuzzed by its own description: it answers as described, and never fails."""

from __future__ import annotations

import urllib.error
import urllib.request
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.web.servers import Server

from popejoan.web.openapi import openapi

# A body may also be too long to be looked at: 413, which the check does not think of.
REFUSED = [str(status) for status in (400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 428, 429)]
CONFIG = {"checks": {"negative_data_rejection": {"expected-statuses": REFUSED}}}
schema = schemathesis.openapi.from_dict(openapi(), config=schemathesis.Config.from_dict(CONFIG))
# What makes no sense by the rules of the game is refused, though its form is right.
NOT_ASKED: list[Any] = [positive_data_acceptance]


@pytest.fixture(scope="module")
def given(server: Server) -> dict[str, str]:
    return server.table("Anna")


@pytest.mark.parametrize("path", openapi()["paths"])
def test_a_method_that_a_path_has_not_is_answered_with_those_it_has(
    server: Server, path: str
) -> None:
    request = urllib.request.Request(
        server.base.rstrip("/") + path.replace("{number}", "1"), method="DELETE"
    )
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(request)
    assert refused.value.code == 405
    described = {method.upper() for method in openapi()["paths"][path]} - {"PARAMETERS"}
    allowed = set(refused.value.headers["allow"].split(", "))
    assert allowed - {"HEAD"} == described
    refused.value.close()


@schema.parametrize()
@settings(
    max_examples=12,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_request_is_answered_as_described(
    case: schemathesis.Case[Any], server: Server, given: dict[str, str]
) -> None:
    case.call_and_validate(base_url=server.base.rstrip("/"), excluded_checks=NOT_ASKED)
    if "code" in case.path_parameters:
        case.path_parameters["code"] = given["code"]
        case.headers["Authorization"] = f"Bearer {given['token']}"
        case.call_and_validate(base_url=server.base.rstrip("/"), excluded_checks=NOT_ASKED)
