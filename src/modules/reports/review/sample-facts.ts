import type { Origin } from '@kitlane/lab-reader/parse/origin'
import type { KitRow } from '../../kits/queries.ts'

export interface SampleTimes {
  /** Days or times; absent: not known. */
  collected?: string
  sent?: string
  received?: string
}

const HOUR_MS = 3_600_000

interface Known {
  collectedDate: string | null
  origin?: Origin | null | undefined
  kit?: Pick<KitRow, 'progress'> | undefined
}

/**
 * When a sample was taken, sent and received: the laboratory's word counts before the kit's. A step of the kit that was
 * only filled in when the results came has their time, and tells nothing.
 */
export function sampleTimes({ collectedDate, origin, kit }: Known): SampleTimes {
  const { sampleInTransit, sampleReceived, reportReady } = kit?.progress ?? {}
  const specimenDate = (name: 'collectedDate' | 'receivedDate') => origin?.specimens.find((one) => one[name])?.[name]
  const collected = collectedDate ?? specimenDate('collectedDate')
  const scanned = sampleReceived === reportReady ? undefined : sampleReceived
  const received = specimenDate('receivedDate') ?? scanned
  const sent = sampleInTransit === sampleReceived ? undefined : sampleInTransit
  return { ...(collected && { collected }), ...(sent && { sent }), ...(received && { received }) }
}

/** Whole days from collection, else from when it was sent, to the laboratory; undefined where that is not known. */
export function daysInTransit({ collected, sent, received }: SampleTimes): number | undefined {
  const from = collected ?? sent
  if (!from || !received) return undefined
  const days = Math.round((Date.parse(received.slice(0, 10)) - Date.parse(from.slice(0, 10))) / (24 * HOUR_MS))
  return days >= 0 ? days : undefined
}
