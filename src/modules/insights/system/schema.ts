import { z } from 'zod'
import { Pagination, timestamp } from '../../../platform/http/fields.ts'

export const Queue = z
  .object({
    name: z.string(),
    queued: z.int().describe('Waiting, those for later included.'),
    active: z.int(),
    failed: z.int().describe('Given up in the last seven days.'),
    oldestQueuedDate: timestamp.optional().describe('Since when the oldest that is due waits.'),
    cron: z.string().optional().describe('When it is started by the clock, UTC.'),
  })
  .meta({ id: 'JobQueue' })

const FailedJob = z
  .object({
    id: z.string(),
    name: z.string(),
    attempts: z.int(),
    createdDate: timestamp,
    failedDate: timestamp.optional(),
    businessID: z.string().optional(),
    error: z.string().describe('What kind of error it was. Holds no data of anybody.'),
  })
  .meta({ id: 'FailedJob' })
export type FailedJob = z.infer<typeof FailedJob>

export const FailedJobs = z.object({ data: z.array(FailedJob), pagination: Pagination })

export const System = z
  .object({
    version: z.string(),
    node: z.string(),
    uptimeSeconds: z.int().describe('Of the process that answered.'),
    memoryBytes: z.int(),
    postgres: z.object({
      version: z.string(),
      embedded: z.boolean().describe('Kitlane brought this PostgreSQL along.'),
      sizeBytes: z.int(),
      connections: z.int(),
      maxConnections: z.int(),
    }),
    migrations: z.object({ version: z.int(), appliedDate: timestamp }),
    webhooks: z.object({ due: z.int(), failingEndpoints: z.int() }),
    mail: z.object({ configured: z.boolean(), queued: z.int(), failed: z.int() }),
    ledger: z
      .object({ ok: z.boolean(), checkedDate: timestamp })
      .optional()
      .describe('How it came out when it was added up last, each night. Absent: not yet.'),
    backup: z
      .object({
        madeDate: timestamp.optional().describe('When the newest one began: everything until then is in it.'),
        bytes: z.int().optional(),
        location: z.string().optional(),
        failedDate: timestamp.optional().describe('When one failed since. Absent: none did.'),
      })
      .optional()
      .describe('Absent: none was tried yet.'),
    businesses: z.int(),
    kits: z.object({ live: z.int(), sandbox: z.int() }),
  })
  .meta({ id: 'System' })
export type System = z.infer<typeof System>

export const OperatorOverview = z
  .object({
    toPack: z.int().optional().describe('Live kits that wait to be packed.'),
    lateKits: z.int().optional().describe('Of those, the ones that wait longer than usual.'),
    lowStock: z.int().optional().describe('Products below their reorder point, by place.'),
    cameBack: z.int().optional().describe('Boxes that did not reach their recipient, of which somebody must act.'),
    toSendAgain: z.int().optional().describe('Of those, the ones that go out again.'),
    unmatchedParcels: z.int().optional().describe('What carriers said of numbers that nobody knows, in 30 days.'),
    recalledKits: z
      .int()
      .optional()
      .describe('Recalled kits whose people nobody wrote to, until the recall is closed.'),
    waitingLabels: z.int().optional().describe('Shipping labels at which a person must look.'),
    waitingAtWarehouses: z.int().optional().describe('Kits at warehouses that need a person.'),
    toReceive: z.int().optional().describe('Samples on their way to the laboratory.'),
    atTheDoor: z.int().optional().describe('Of those, the ones that a carrier has delivered.'),
    heldSamples: z.int().optional().describe('Samples on hold, and those that go on until the laboratory has seen it.'),
    toDiscardSoon: z.int().optional().describe('Of those, the ones that are discarded within two days.'),
    unmatched: z.int().optional().describe('Messages of laboratories that wait for a person.'),
    uploadsToReview: z.int().optional(),
    toApprove: z.int().optional().describe('Live orders that wait for a provider.'),
    waitingLabOrders: z.int().optional().describe('Orders to laboratories that need a person.'),
    inReview: z.int().optional().describe('Live reports that wait for a person.'),
    critical: z.int().optional().describe('Live critical results that nobody has acknowledged.'),
    unassessed: z.int().optional().describe('Live results that were received, not judged, and wait for a person.'),
    noticesToTell: z.int().optional().describe('Live results that authorities want told and are not told yet.'),
    overdueNotices: z.int().optional().describe('Of those, the ones whose time is over.'),
    failedJobs: z.int().optional(),
    alarms: z.int().optional().describe('That nobody has acknowledged.'),
    failedEmails: z.int().optional().describe('In 30 days.'),
  })
  .meta({ id: 'OperatorOverview', description: 'Only what the caller may see: a count is absent without its scope.' })
export type OperatorOverview = z.infer<typeof OperatorOverview>

/** The counts of the overview whose oldest is known. */
export const waitingKinds = [
  ...(['toPack', 'cameBack', 'atTheDoor', 'heldSamples', 'unmatched', 'uploadsToReview'] as const),
  ...(['inReview', 'critical', 'unassessed', 'alarms'] as const),
] as const
export type Waiting = (typeof waitingKinds)[number]

const FirstStep = z.object({
  step: z.enum(['laboratory', 'ranges', 'mail', 'backup', 'contact', 'secondFactor']),
  done: z.boolean().describe('Whether it is done.'),
  left: z
    .int()
    .optional()
    .describe('Biomarkers without signed ranges, businesses without a contact, or people without a second factor.'),
})
export type FirstStep = z.infer<typeof FirstStep>

export const OldestWaiting = z
  .object({
    oldest: z
      .partialRecord(z.enum(waitingKinds), timestamp)
      .describe('By the counts of the overview. Absent: nothing waits, or the scope is missing.'),
    firstSteps: z.array(FirstStep).optional().describe('For the scope `system` only.'),
  })
  .meta({ id: 'OldestWaiting' })
export type OldestWaiting = z.infer<typeof OldestWaiting>
