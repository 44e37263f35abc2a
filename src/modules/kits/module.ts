import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'
import { appended, defineModule, defineTables, happened, moves, operators } from '../define-module.ts'
import { advanceClock } from './advance-clock-queries.ts'
import * as consentOperator from './consent/operator-routes.ts'
import * as consents from './consent/routes.ts'
import { Withdrawn } from './consent/schema.ts'
import { sealedConsents } from './consent-queries.ts'
import { kitStatuses, reportStatuses, sampleStatuses } from './lifecycle.ts'
import * as routes from './routes.ts'
import { KitRecord } from './schema.ts'
import { sealedKits, sealedReasons } from './sealed-queries.ts'

export const kits = defineModule({
  name: 'kits',
  tags: {
    Consent: 'The words that people agree to, and taking a consent back.',
    Kits: 'Kits from order to report: reading, registering, replacing.',
  },
  routes: [routes, consents, consentOperator],
  events: {
    'kit.updated': {
      summary: 'A kit moved',
      description:
        'A kit or its sample took a step. An endpoint with `payload: thin` gets its IDs, statuses, counts and times only.',
      data: KitRecord.extend({
        previous: z
          .object({
            kitStatus: z.enum(kitStatuses),
            sampleStatus: z.enum(sampleStatuses),
            status: z.enum(reportStatuses).describe('Of the report.'),
          })
          .describe('Where it stood before.'),
        event: z.string().describe('The step that it took.'),
        sequence: z.int().describe('Counts the events of one kit, from 1 and without gaps.'),
      }),
    },
    'consent.withdrawn': {
      summary: 'A consent was taken back',
      description: 'The person tested took back a consent.',
      data: z.object({
        kitID: z.string(),
        customerID: z.int().optional(),
        what: Withdrawn.shape.what,
        outcome: Withdrawn.shape.outcome,
        withdrawnDate: timestamp,
      }),
    },
  },
  tables: defineTables({
    kits: {
      written: 'kits are made by create.ts and moved by move.ts',
      people: {
        in: 'person',
        what: 'what was given at the registration, and its e-mail; why the kit has a problem',
        sealed: 'yes, two values; hashes of e-mail and date of birth',
        clear: 'kit type, states and times, when the person posted the sample, accession, shipment',
        kept: 'no term',
        readBy: '`kits:read` and `customers:read`; *op* `lab`',
        erasure: 'registration, reason and hashes emptied, link to the customer removed',
      },
      sealed: [sealedKits, sealedReasons],
      times: {
        created_at: moves('a kit was made before its first step, which moves in `progress`'),
        posted_at: moves('compared with the registration'),
        registered_at: moves('a step of the kit, which later ones are late after'),
        updated_at: moves('a kit that waits is late by it'),
      },
    },
    consents: {
      written: 'consents are given in register.ts',
      people: {
        in: 'person',
        what: 'name, e-mail and IP address of the person who agreed',
        sealed: 'yes; e-mail hash',
        clear: 'kit, version, language, time, relation',
        kept: 'no term',
        readBy: '`kits:read`; export',
        erasure: 'emptied; that and when stays',
      },
      sealed: [sealedConsents],
      times: { at: appended },
    },
    consent_texts: {
      written: 'consent texts are published by consent/texts.ts',
      staysInReset: 'a setting: the words of the business',
      times: { published_at: appended },
    },
    default_consent_texts: {
      written: 'consent texts are published by consent/texts.ts',
      times: { published_at: operators },
    },
    consent_withdrawals: {
      written: 'consents are taken back in consent/withdraw.ts',
      people: {
        in: 'person',
        what: 'that a consent was taken back',
        sealed: 'no',
        clear: 'all',
        kept: 'no term',
        readBy: '`kits:read`; *op* `lab`',
        erasure: 'stays, without a name',
      },
      times: { at: appended, told_at: happened },
    },
  }),
  readsBelow: [
    {
      file: 'attention-queries.ts',
      tables: ['undelivered_kits'],
      why: 'a box with which nothing more is to be done needs nobody',
    },
    {
      file: 'attention-queries.ts',
      tables: ['warehouse_orders'],
      why: 'a kit whose parcel has left a warehouse is not canceled any more',
    },
    {
      file: 'recall-queries.ts',
      tables: ['recall_kits', 'recalls'],
      why: 'from the moment at which a recall finds a kit it is not registered, and its report neither published nor unmarked',
    },
    {
      file: 'recall-queries.ts',
      tables: ['measured_lots', 'report_versions', 'reports'],
      why: 'the mark belongs to versions that may have values of what was recalled',
    },
    {
      file: 'recipient-queries.ts',
      tables: ['order_finds', 'order_finds_done', 'orders'],
      why: 'a kit is found by the recipient of its order',
    },
    { file: 'queries.ts', tables: ['orders'], why: 'a kit is listed with the recipient of its order' },
    { file: 'page-queries.ts', tables: ['reports'], why: 'the page of a kit links to its report' },
  ],
  sandbox: { advanceClock },
})
