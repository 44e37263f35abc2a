export const kitStatuses = [
  'preparing',
  'inTransit',
  'delivered',
  'registered',
  'collected',
  'deliveryException',
  'registrationException',
  'canceled',
] as const
export type KitStatus = (typeof kitStatuses)[number]

export const sampleStatuses = [
  'awaitingCollection',
  'collected',
  'inTransit',
  'received',
  'delivered',
  'rejected',
  'resulted',
  'partiallyResulted',
  'collectionException',
  'deliveryException',
  'canceled',
] as const
export type SampleStatus = (typeof sampleStatuses)[number]

export const reportStatuses = ['notStarted', 'inReview', 'published', 'rejected'] as const
export type ReportStatus = (typeof reportStatuses)[number]

/** The types of `progress`, in order. */
export const lifetimeStatuses = [
  'orderPlaced',
  'kitPreparing',
  'kitInTransit',
  'kitDelivered',
  'kitRegistered',
  'sampleInTransit',
  'sampleReceived',
  'reportReady',
  'sampleRejected',
] as const
export type LifetimeStatus = (typeof lifetimeStatuses)[number]

export const kitExceptions = ['deliveryException', 'collectionException', 'registrationException', 'canceled'] as const
export type KitException = (typeof kitExceptions)[number]

/** Why somebody should look at a kit; late: it waits longer than usual (usual-days.ts). */
export const kitAttentions = ['late', 'exception', 'rejected'] as const
export type KitAttention = (typeof kitAttentions)[number]

export interface Statuses {
  kitStatus: KitStatus
  sampleStatus: SampleStatus
  status: ReportStatus
}

const row = (
  kitStatus: KitStatus,
  sampleStatus: SampleStatus,
  status: ReportStatus,
  after?: LifetimeStatus,
): Statuses & { after?: LifetimeStatus } => ({ kitStatus, sampleStatus, status, after })

/**
 * The lifecycle: what each lifetime status shows, and the step that comes before it. A report and a rejection are two
 * ends of the same way. reportReady may show partiallyResulted and published instead (rules.ts).
 */
export const lifecycle: Record<LifetimeStatus, Statuses & { after?: LifetimeStatus }> = {
  orderPlaced: row('preparing', 'awaitingCollection', 'notStarted'),
  kitPreparing: row('preparing', 'awaitingCollection', 'notStarted', 'orderPlaced'),
  kitInTransit: row('inTransit', 'awaitingCollection', 'notStarted', 'kitPreparing'),
  kitDelivered: row('delivered', 'awaitingCollection', 'notStarted', 'kitInTransit'),
  kitRegistered: row('registered', 'awaitingCollection', 'notStarted', 'kitDelivered'),
  sampleInTransit: row('collected', 'inTransit', 'notStarted', 'kitRegistered'),
  sampleReceived: row('collected', 'received', 'notStarted', 'sampleInTransit'),
  reportReady: row('collected', 'resulted', 'inReview', 'sampleReceived'),
  sampleRejected: row('collected', 'rejected', 'rejected', 'sampleReceived'),
}

export interface ExceptionRow extends Statuses {
  event: KitException
  /** Happens to a kit that stands anywhere from here … */
  from: LifetimeStatus
  /** … to here. */
  until: LifetimeStatus
  /** The last step that still counts in it; default `until`. */
  keeps?: LifetimeStatus
  /** What must have happened: filled in where it is missing. */
  needs: LifetimeStatus
  /** The first and the last step that the kit may go on with. Without them the exception is final. */
  resume?: readonly [LifetimeStatus, LifetimeStatus]
}

/** deliveryException twice: on the way out it shows in kitStatus, on the way to the lab in sampleStatus. */
export const exceptionRows: readonly ExceptionRow[] = [
  {
    event: 'deliveryException',
    ...row('deliveryException', 'awaitingCollection', 'notStarted'),
    from: 'orderPlaced',
    until: 'kitDelivered',
    needs: 'kitInTransit',
    resume: ['kitInTransit', 'sampleRejected'],
  },
  {
    event: 'deliveryException',
    ...row('collected', 'deliveryException', 'notStarted'),
    from: 'sampleInTransit',
    until: 'sampleInTransit',
    needs: 'sampleInTransit',
    resume: ['sampleInTransit', 'sampleRejected'],
  },
  {
    event: 'collectionException',
    ...row('registered', 'collectionException', 'notStarted'),
    from: 'orderPlaced',
    until: 'kitRegistered',
    needs: 'kitRegistered',
    resume: ['sampleInTransit', 'sampleRejected'],
  },
  {
    event: 'registrationException',
    ...row('registrationException', 'awaitingCollection', 'notStarted'),
    from: 'orderPlaced',
    until: 'kitRegistered',
    // Nobody's kit while it is in doubt.
    keeps: 'kitDelivered',
    needs: 'orderPlaced',
    // A human clears it: results must not go to the wrong person.
    resume: ['kitRegistered', 'kitRegistered'],
  },
  {
    event: 'canceled',
    ...row('canceled', 'canceled', 'notStarted'),
    from: 'orderPlaced',
    until: 'kitPreparing',
    needs: 'orderPlaced',
  },
]

/** Other names that callers send; output uses the nine. */
export const aliases: Readonly<Record<string, LifetimeStatus>> = {
  shippedToUser: 'kitInTransit',
  arrivedToUser: 'kitDelivered',
  registered: 'kitRegistered',
  shippedToLab: 'sampleInTransit',
  arrivedAtLab: 'sampleReceived',
}
