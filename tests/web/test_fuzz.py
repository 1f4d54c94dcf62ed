"""The HTTP side, fuzzed by its own description: it answers as described, and never fails."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance
from tests.web.servers import Server

from popejoan.web.openapi import openapi

schema = schemathesis.openapi.from_dict(openapi())
# What makes no sense by the rules of the game is refused, though its form is right.
NOT_ASKED: list[Any] = [positive_data_acceptance]


@pytest.fixture(scope="module")
def given(server: Server) -> dict[str, str]:
    return server.table("Anna")


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
