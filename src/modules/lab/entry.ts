import { z } from 'zod'
import { type SystemTx, within } from '../../platform/database/tx.ts'
import { internalKitType } from '../catalogue/kit-type.ts'
import { biomarkers, findPanel } from '../catalogue/service.ts'
import { sampleStatuses } from '../kits/lifecycle.ts'
import { realmOfKit } from '../kits/locate.ts'
import { findKit } from '../kits/records.ts'

export const EntryForm = z
  .object({
    kitID: z.string(),
    kitType: z.string(),
    panelName: z.string(),
    sampleStatus: z.enum(sampleStatuses),
    biomarkers: z.array(
      z.object({
        name: z.string().describe('Under which a result is sent in.'),
        loinc: z.string().optional(),
        unit: z.string().describe('The unit in which it is kept, in UCUM. Others are converted.'),
      }),
    ),
  })
  .meta({ id: 'ResultEntryForm' })
type EntryForm = z.infer<typeof EntryForm>

/** What a laboratory measures of a kit, to be filled in by hand: nothing of its person. @throws KIT_NOT_FOUND */
export async function entryForm(tx: SystemTx, kitId: string): Promise<EntryForm> {
  const inRealm = within(tx, await realmOfKit(tx, kitId))
  const { kitID, kitType, sampleStatus } = await findKit(inRealm, kitId)
  const panel = await findPanel(inRealm, internalKitType(kitType))
  const known = new Map((await biomarkers(tx)).map((biomarker) => [biomarker.id, biomarker]))
  return {
    kitID,
    kitType,
    panelName: panel.name,
    sampleStatus,
    biomarkers: panel.biomarkers.flatMap((id) => {
      const biomarker = known.get(id)
      if (!biomarker) return []
      const { label, loinc, unit } = biomarker
      return [{ name: label, ...(loinc && { loinc }), unit }]
    }),
  }
}
