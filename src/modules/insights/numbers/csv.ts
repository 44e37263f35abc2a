import type { Columns } from '../../../platform/http/csv.ts'
import type { CreditUse, FunnelRow, PromiseRow, RejectionReason, TurnaroundLeg } from './schema.ts'

export const funnelColumns: Columns<FunnelRow> = {
  cohort: (row) => row.cohort,
  key: (row) => row.key,
  name: (row) => row.name,
  ordered: (row) => row.ordered,
  delivered: (row) => row.delivered,
  registered: (row) => row.registered,
  returned: (row) => row.returned,
  received: (row) => row.received,
  reported: (row) => row.reported,
  rejected: (row) => row.rejected,
  failed: (row) => row.failed,
  canceled: (row) => row.canceled,
  deliveredShare: (row) => row.shares.delivered,
  registeredShare: (row) => row.shares.registered,
  returnedShare: (row) => row.shares.returned,
  receivedShare: (row) => row.shares.received,
  reportedShare: (row) => row.shares.reported,
  unregistered: (row) => row.unregistered,
  deliveredInferred: (row) => row.inferred.delivered,
  returnedInferred: (row) => row.inferred.returned,
  receivedInferred: (row) => row.inferred.received,
}

export const turnaroundColumns: Columns<TurnaroundLeg> = {
  leg: (row) => row.leg,
  kits: (row) => row.kits,
  p50Hours: (row) => row.p50Hours ?? undefined,
  p95Hours: (row) => row.p95Hours ?? undefined,
  why: (row) => row.why,
}

export const promiseColumns: Columns<PromiseRow> = {
  type: (row) => row.type,
  name: (row) => row.name,
  promised: (row) => row.promised,
  kept: (row) => row.kept,
  late: (row) => row.late,
  overdue: (row) => row.overdue,
  open: (row) => row.open,
  keptShare: (row) => row.keptShare ?? undefined,
}

export const rejectionColumns: Columns<RejectionReason> = {
  reason: (row) => row.reason ?? undefined,
  kits: (row) => row.kits,
  share: (row) => row.share,
}

export const creditColumns: Columns<CreditUse> = {
  week: (row) => row.week,
  type: (row) => row.type,
  used: (row) => row.used,
}
