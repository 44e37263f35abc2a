import { isDeepStrictEqual } from 'node:util'
import { withCriticalLimits } from '@kitlane/lab-reader/facts/critical-limits'
import { factorsOf, limitsOf, type SourcedFact } from '@kitlane/lab-reader/facts/factors'
import type { Interval } from '@kitlane/lab-reader/facts/schema'
import { AppError } from '../../domain/errors.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import {
  insertSignatures,
  insertVersion,
  type Signature,
  selectSignedBiomarkers,
  selectUnknownBiomarkers,
  selectVersions,
} from './queries.ts'
import type { Biomarker } from './schema.ts'
import { biomarkers } from './service.ts'

/**
 * The definitions that judge a realm's results. Where the settings allow signed ranges only, live results are judged by
 * the last signed ranges of a biomarker, or by none: then the laboratory's own interval counts alone.
 */
export async function judging(tx: Tx): Promise<readonly Biomarker[]> {
  const all = await biomarkers(tx)
  if (!tx.context.settings.signedRangesOnly || tx.realm.mode !== 'live') return all
  const signed = new Map((await selectSignedBiomarkers(tx)).map((one) => [one.id, one]))
  return all.map((one) => (one.rangesSigned ? one : withRangesOf(one, signed.get(one.id))))
}

export interface SignedFacts {
  id: string
  ranges: SourcedFact[]
  factors: SourcedFact[]
  criticalLimits: SourcedFact[]
  /** Of the ranges, factors and critical limits of the current version. */
  signature: (Signature & { signedDate: string }) | null
  /** False while the signed version holds other limits than this release calls by. */
  criticalLimitsSigned: boolean
}

/** By what results of these biomarkers are read and judged, each with its source, and who signed it. @throws BIOMARKER_NOT_FOUND */
export async function signedFacts(tx: SystemTx, ids: readonly string[] | 'all'): Promise<SignedFacts[]> {
  const all = await biomarkers(tx)
  const unknown = ids === 'all' ? [] : ids.filter((id) => !all.some((one) => one.id === id))
  if (unknown.length > 0) throw new AppError('BIOMARKER_NOT_FOUND', `There is no biomarker ${unknown.join(', ')}`)
  const shown: SignedFacts[] = []
  for (const one of all.filter(({ id }) => ids === 'all' || ids.includes(id))) {
    const [current] = await selectVersions(tx, one.id)
    const facts = { ranges: rangesOf(one), factors: factorsOf(one), criticalLimits: limitsOf(one) }
    const signature = current?.signature ?? null
    shown.push({ id: one.id, ...facts, signature, criticalLimitsSigned: signature !== null && holdsLimits(one) })
  }
  return shown
}

/** Whether a definition holds the limits by which this release calls a person. */
const holdsLimits = (one: Biomarker): boolean =>
  isDeepStrictEqual(one.criticalLimits, withCriticalLimits(one).criticalLimits)

function rangesOf({ reference, ageBands, phases, displayUnit }: Biomarker): SourcedFact[] {
  const bounds = ({ low, high }: Interval) => `${low ?? ''}-${high ?? ''} ${displayUnit}`.trim()
  const ofSexes = (['M', 'F'] as const).flatMap((sex) => {
    const interval = reference?.[sex]
    return interval ? [{ fact: `${sex} ${bounds(interval)}`, source: reference.source }] : []
  })
  const ofAges = (['M', 'F'] as const).flatMap((sex) =>
    (ageBands?.[sex] ?? []).map((band) => ({
      fact: `${sex} ${band.minAge} to ${band.maxAge} years ${bounds(band)}`,
      source: ageBands?.source ?? '',
    })),
  )
  const ofPhases = (phases?.F ?? []).map((one) => ({
    fact: `F ${one.phase} ${bounds(one)}`,
    source: phases?.source ?? '',
  }))
  return [...ofSexes, ...ofAges, ...ofPhases]
}

function withRangesOf(
  { reference: _r, optimal: _o, ageBands: _a, phases: _p, tiers: _t, ...rest }: Biomarker,
  signed: Biomarker | undefined,
): Biomarker {
  if (!signed || signed.unit !== rest.unit) return { ...rest, rangesSigned: true }
  const { reference, optimal, ageBands, phases, tiers } = signed
  return {
    ...rest,
    ...(reference && { reference }),
    ...(optimal && { optimal }),
    ...(ageBands && { ageBands }),
    ...(phases && { phases }),
    ...(tiers && { tiers }),
    rangesSigned: true,
  }
}

/**
 * A laboratory director signs the current ranges, factors and critical limits of these biomarkers, or of all: from now on
 * they are shown as signed.
 * A later version has to be signed again. @throws BIOMARKER_NOT_FOUND
 */
export async function sign(tx: SystemTx, signature: Signature, ids: readonly string[] | 'all'): Promise<number> {
  const unknown = ids === 'all' ? [] : await selectUnknownBiomarkers(tx, ids)
  if (unknown.length > 0) throw new AppError('BIOMARKER_NOT_FOUND', `There is no biomarker ${unknown.join(', ')}`)
  await bringLimits(tx, ids)
  const signed = await insertSignatures(tx, signature, ids)
  await audit.recordSystem(
    tx,
    signed.map(({ id, version }) => ({
      action: 'ranges.signed' as const,
      objectType: 'biomarker',
      objectId: id,
      details: { version, ...signature },
    })),
  )
  return signed.length
}

/** Definitions that an operator changed do not get the limits of a later release by themselves. */
async function bringLimits(tx: SystemTx, ids: readonly string[] | 'all'): Promise<void> {
  const outdated = (await biomarkers(tx)).filter((one) => (ids === 'all' || ids.includes(one.id)) && !holdsLimits(one))
  for (const { id } of outdated) {
    const [current] = await selectVersions(tx, id)
    if (!current) continue
    const next = { version: current.version + 1, reason: 'critical limits of this release', createdDate: tx.now }
    await insertVersion(tx, id, { ...next, definition: withCriticalLimits(current.definition) })
  }
}
