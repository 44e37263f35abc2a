import type { Tx } from '../../../platform/database/tx.ts'
import { biomarkers, findPanel } from '../../catalogue/service.ts'
import type { PanelText } from '../../catalogue/text-schema.ts'
import { panelText } from '../../catalogue/texts.ts'
import type { KitRow } from '../../kits/queries.ts'

/** What a person must know of a panel before the sample is taken. */
export interface ShownPanel {
  name: string
  /** In everyday words: what must be measured fasting, and what in the morning. */
  fasting: readonly string[]
  morning: readonly string[]
  text: PanelText | undefined
}

/** The panels of kits, as the catalogue has them now. */
export async function shownPanels(tx: Tx, kits: readonly KitRow[]): Promise<ReadonlyMap<string, ShownPanel>> {
  const all = await biomarkers(tx)
  const shown = new Map<string, ShownPanel>()
  for (const kitType of new Set(kits.map((kit) => kit.kitType))) {
    const { name, biomarkers: ids } = await findPanel(tx, kitType)
    const members = all.filter(({ id, derived }) => ids.includes(id) && !(derived && !derived.measurable))
    const named = (flag: 'fasting_required' | 'time_of_day') =>
      members.filter(({ flags }) => flags.includes(flag)).map(({ simpleLabel }) => simpleLabel)
    const [fasting, morning] = [named('fasting_required'), named('time_of_day')]
    shown.set(kitType, { name, fasting, morning, text: await panelText(tx, kitType) })
  }
  return shown
}
