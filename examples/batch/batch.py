"""
Orders a kit for each row of a CSV file: `python3 batch.py orders.csv results.csv`. It may be run again, after a crash too: a row
whose `external_id` has an order, even a canceled one, is not ordered again. With `--dry-run` it only says what the order would
cost and do.
"""

import argparse
import csv
import hashlib
import json
import os
import sys
from typing import Dict, List, cast

from kitlane import Kitlane
from kitlane.models import BulkRow, Quote

Result = Dict[str, str]
kitlane = Kitlane(os.environ["KITLANE_TOKEN"], os.environ["KITLANE_URL"])


def read_rows(path: str) -> List[BulkRow]:
    with open(path, newline="", encoding="utf-8-sig") as file:
        rows = [{name: value.strip() for name, value in row.items() if value} for row in csv.DictReader(file)]
    ids = [row.get("external_id", "") for row in rows]
    twice = sorted({one for one in ids if ids.count(one) > 1})
    if "" in ids or twice:
        sys.exit(f"Each row needs an external_id of its own. Missing in {ids.count('')} rows; twice: {', '.join(twice)}")
    # Kitlane checks the columns, and says what is wrong with a row.
    return cast(List[BulkRow], rows)


def id_of(row: BulkRow) -> str:
    return row.get("external_id") or ""


def wait_for_running_jobs() -> None:
    """What another run has begun may still make orders."""
    for job in kitlane.bulk_order_jobs.list():
        if job["status"] in ("queued", "processing"):
            print(f"Waiting for {job['jobId']}, which has made {job['succeeded']} of {job['total']} orders")
            kitlane.bulk_order_jobs.wait_for(job["jobId"])


def find_order(external_id: str) -> str:
    """The order of a row, also a canceled one; empty where there is none."""
    orders = kitlane.orders.list(externalID=external_id, size=1).first()["data"]
    return orders[0]["orderID"] if orders else ""


def explain(quote: Quote, rows: List[BulkRow]) -> None:
    """Says what the order would cost and do. Ends the program where it would not be placed."""
    for one in quote["credits"]:
        print(f"{one['needed']} credits of {one['type']}; {one['remaining']} would be left")
    if "charge" in quote:
        print(f"The card would be charged {quote['charge']['amount'] / 100:.2f} {quote['charge']['currency']}")
    if quote["outcome"] == "pending":
        print("The orders would wait until somebody pays them")
    for row in quote.get("rows", []):
        for error in row["errors"]:
            print(f"{id_of(rows[row['row']])}: {error['message']}", file=sys.stderr)
    if not quote["valid"]:
        reason = quote["refusal"]["message"] if "refusal" in quote else "Correct these rows."
        sys.exit(f"Nothing was ordered. {reason}")


def place(rows: List[BulkRow]) -> List[Result]:
    """Orders a kit for each row, and says for each what became of it."""
    # The same rows have the same key: if the answer was lost, the next run gets it.
    key = hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()
    made = kitlane.orders.create({"bulkUploadData": rows}, idempotency_key=key)
    if "orderIds" in made:
        return [{"order": order, "problem": ""} for order in made["orderIds"]]
    job_id = made.get("jobId", "")
    kitlane.bulk_order_jobs.wait_for(job_id, on_progress=lambda job: print(f"{job['progress']:.0f} %"))
    results = sorted(kitlane.bulk_order_jobs.get(job_id, size=250), key=lambda row: row["row"])
    return [
        {"order": row.get("orderId", ""), "problem": row["error"]["message"] if "error" in row else ""} for row in results
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description="Orders a kit for each row of a CSV file.")
    parser.add_argument("orders")
    parser.add_argument("results")
    parser.add_argument("--dry-run", action="store_true", help="only say what it would cost and do")
    given = parser.parse_args()

    rows = read_rows(given.orders)
    wait_for_running_jobs()
    results: Dict[str, Result] = {id_of(row): {"order": find_order(id_of(row)), "problem": ""} for row in rows}
    new = [row for row in rows if not results[id_of(row)]["order"]]
    print(f"{len(rows)} rows, {len(rows) - len(new)} of them ordered before")
    if new:
        explain(kitlane.quotes.create({"bulkUploadData": new}), new)
        if given.dry_run:
            return 0
        results.update(zip(map(id_of, new), place(new)))
    with open(given.results, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["external_id", "order", "problem"])
        writer.writerows([id, one["order"], one["problem"]] for id, one in results.items())
    failed = sum(1 for one in results.values() if one["problem"])
    print(f"{len(new) - failed} ordered, {failed} failed: {given.results}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
