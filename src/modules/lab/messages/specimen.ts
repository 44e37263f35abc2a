import type { ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import { type SystemTx, within } from '../../../platform/database/tx.ts'
import { modulesOf } from '../../define-module.ts'
import type { LabKit } from './queries.ts'

/** What a laboratory's message says of the sample of a kit. */
export interface RefusedSpecimen {
  kitId: string
  /** Why it is refused: codes of HL7 table 0490. */
  codes: readonly string[]
  /** `YYYY-MM-DD` */
  collectedOn: string | undefined
}

/** Tells the modules what a message says of the sample of its kit. One that may be about nobody, or about others, says nothing. */
export async function announceSpecimen(tx: SystemTx, kit: LabKit, report: ParsedReport): Promise<void> {
  const { message, isOfSeveral, collectedDate, specimenRefusals = [] } = report
  if (kit.realm.mode !== 'live' || kit.isWithNobody || message?.isTest || isOfSeveral) return
  const specimen = { kitId: kit.kitId, codes: specimenRefusals, collectedOn: collectedDate?.slice(0, 10) }
  const realm = within(tx, kit.realm)
  for (const module of modulesOf(tx.context)) await module.afterSpecimen?.(realm, specimen)
}
