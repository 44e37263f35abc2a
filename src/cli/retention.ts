import type { Command } from 'commander'
import { z } from 'zod'
import { liftHold, setHold, showRetained } from '../modules/privacy/retention/keep-records.ts'
import { selectHolds } from '../modules/privacy/retention/queries.ts'
import type { Count } from '../modules/privacy/retention/rules.ts'
import { purge } from '../modules/privacy/retention/run.ts'
import { reason, shownHold, shownRetention } from '../modules/privacy/retention/schema.ts'
import { changeTerms, retentionState } from '../modules/privacy/retention/terms.ts'
import { addAdministration, addGroup, business, table, wholeNumber } from './command.ts'
import { findRealm } from './realm.ts'
import { operator } from './session.ts'

const days = z.union([wholeNumber.pipe(z.int().max(36_500)), z.literal('default').transform(() => null)]).optional()
const because = { '--reason <text>': 'why, in 10 to 500 characters; no names: the business reads it in its audit' }

export function addRetentionCommands(root: Command): void {
  const group = addGroup(root, 'retention', 'How long records are kept, and what ends.')
  addAdministration(group, {
    name: 'status',
    summary: 'Show the terms, what is kept of erased people, and what the last runs found.',
    options: {},
    input: z.object({}),
    example: 'kitlane retention status',
    async run(database) {
      const json = shownRetention(await database.asSystem(operator, retentionState))
      const { defaults, businesses, kept, runs, auditDays } = json
      const rows = [{ business: { name: 'all businesses' }, ...defaults }, ...businesses]
      const [last] = runs
      const text = [
        table([
          ['TERMS IN DAYS', 'LABORATORY', 'REQUISITIONS', 'CORRESPONDENCE', 'ENDS BY AGE'],
          ...rows.map(({ business, laboratoryDays, requisitionDays, correspondenceDays, byAge }) => [
            ...[business.name, String(laboratoryDays), String(requisitionDays), String(correspondenceDays)],
            byAge ? 'yes' : 'no: only of erased people',
          ]),
        ]),
        `The audit is kept for at least ${auditDays} days. Nothing deletes it, unless ARCHIVE_AUDIT_DAYS is set.`,
        table([
          ['KEPT OF ERASED PEOPLE', 'RECORDS', 'PEOPLE'],
          ...kept.map(({ kind, records, people }) => [kind, String(records), String(people)]),
        ]),
        last
          ? `The last run ${last.finishedDate ? `ended at ${last.finishedDate}` : `began at ${last.startedDate} and has not ended`}:\n${inWords(last.counts)}`
          : 'No run yet: a worker runs it daily at 04:23 UTC.',
      ].join('\n\n')
      return { json, text }
    },
  })
  addAdministration(group, {
    name: 'run',
    summary:
      'End what has reached its term and is not held back. A worker does it daily. Interrupted, the next run goes on.',
    options: { '--dry-run': 'only count' },
    input: z.object({ dryRun: z.boolean().optional() }),
    example: 'kitlane retention run --dry-run',
    async run(database, { dryRun = false }) {
      const stop = new AbortController()
      const json = await purge(database, operator, { signal: stop.signal, isDryRun: dryRun })
      return { json, text: dryRun ? `Nothing was purged.\n${inWords(json.counts)}` : inWords(json.counts) }
    },
  })
  addAdministration(group, {
    name: 'set',
    summary: 'Change terms: for all businesses, or for one. They count for what was recorded before, too.',
    options: {
      '--business <business>': 'its ID or its name (default: all)',
      '--laboratory-days <days>': 'reports, results and files of laboratories; a number or default (731)',
      '--requisition-days <days>': 'recipients of orders, registrations, consents; a number or default (1096)',
      '--correspondence-days <days>': "e-mails and carriers' messages, where records end by age (366)",
      '--by-age <yes|no|default>': 'also end records of people who were not erased (default: no)',
    },
    input: z.object({
      business: business.optional(),
      laboratoryDays: days,
      requisitionDays: days,
      correspondenceDays: days,
      byAge: z.enum(['yes', 'no', 'default']).optional(),
    }),
    example: 'kitlane retention set --laboratory-days 3653',
    async run(database, { byAge, ...change }) {
      const ends = byAge === undefined ? {} : { byAge: byAge === 'default' ? null : byAge === 'yes' }
      const json = await database.asSystem(operator, (tx) => changeTerms(tx, { ...change, ...ends }))
      const { laboratoryDays, requisitionDays, correspondenceDays } = json
      return {
        json,
        text: `Laboratory records are kept for ${laboratoryDays} days, requisitions for ${requisitionDays}, correspondence for ${correspondenceDays}. Records of people who were not erased ${json.byAge ? 'end too' : 'do not end by age'}.`,
      }
    },
  })
}

export function addHoldCommands(root: Command): void {
  const group = addGroup(root, 'hold', 'Legal holds: nothing of a person or a business is deleted meanwhile.')
  addAdministration(group, {
    name: 'set',
    summary: 'Set a legal hold on a customer, or on a whole business. An erasure then restricts without deleting.',
    options: {
      '--business <business>': 'its ID or its name',
      '--customer <customer>': 'the ID of the customer, or its external_id (default: the whole business)',
      ...because,
    },
    input: z.object({ business, customer: z.string().min(1).optional(), reason }),
    example: 'kitlane hold set --business "Example Clinic" --customer 123456789012 --reason "Court order 17/2026"',
    async run(database, input) {
      const json = shownHold(await database.asSystem(operator, (tx) => setHold(tx, input)))
      return { json, text: `The hold ${json.id} stands.` }
    },
  })
  addAdministration(group, {
    name: 'lift',
    summary: 'Lift a legal hold. What has reached its term ends at the next run.',
    options: { '--hold <hold>': 'its ID', ...because },
    input: z.object({ hold: z.string().min(1), reason }),
    example: 'kitlane hold lift --hold hold_… --reason "The case was closed"',
    async run(database, { hold, reason }) {
      const json = shownHold(await database.asSystem(operator, (tx) => liftHold(tx, hold, reason)))
      return { json, text: `The hold ${json.id} was lifted.` }
    },
  })
  addAdministration(group, {
    name: 'list',
    summary: 'List the legal holds that stand.',
    options: {},
    input: z.object({}),
    example: 'kitlane hold list',
    async run(database) {
      const { holds } = await database.asSystem(operator, (tx) =>
        selectHolds(tx, { state: ['standing'], page: 0, size: 1000 }),
      )
      const json = holds.map(shownHold)
      const rows = json.map(({ id, business, customerID, setDate, reason }) => [
        ...[id, business.name, customerID === undefined ? 'all' : String(customerID), setDate, reason],
      ])
      return {
        json,
        text:
          rows.length > 0 ? table([['HOLD', 'BUSINESS', 'CUSTOMER', 'SINCE', 'REASON'], ...rows]) : 'No hold stands.',
      }
    },
  })
}

export function addErasedCommands(root: Command): void {
  const group = addGroup(root, 'erased', 'What is kept of people who were erased.')
  addAdministration(group, {
    name: 'show',
    summary: 'Print what is kept of an erased person, as JSON. The business sees it in its audit, with the reason.',
    options: {
      '--business <business>': 'its ID or its name',
      '--customer <number>': 'the number that the customer had',
      ...because,
    },
    input: z.object({ business, customer: z.coerce.number().int().positive(), reason }),
    example: 'kitlane erased show --business "Example Clinic" --customer 123456789012 --reason "Inspection of 4 May"',
    async run(database, { customer: customerId, reason, ...which }) {
      const { realm } = await findRealm(database, { ...which, mode: 'live' })
      const json = await database.asSystem(operator, (tx) => showRetained(tx, realm, { customerId, reason }))
      return { json, text: JSON.stringify(json, null, 2) }
    },
  })
}

function inWords(counts: readonly Count[]): string {
  const due = counts.filter(({ due }) => due > 0)
  if (due.length === 0) return 'Nothing has reached its term.'
  return table([
    ['KIND', 'OF', 'DUE', 'PURGED', 'UNDER LEGAL HOLD', 'REPORT STILL KEPT'],
    ...due.map(({ kind, of, due, purged, held, awaitingReport }) => [
      ...[kind, of === 'erased' ? 'erased people' : 'others'],
      ...[due, purged, held, awaitingReport].map(String),
    ]),
  ])
}
