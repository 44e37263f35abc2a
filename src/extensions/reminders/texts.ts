import { selectBrand } from '../../modules/emails/queries.ts'
import type { KitRow } from '../../modules/kits/queries.ts'
import { type NewTextMessage, numbersOf, translatorsOf } from '../../modules/text-messages/service.ts'
import type { Tx } from '../../platform/database/tx.ts'
import type { Stage } from './schema.ts'

// Those that go to the person tested. Whoever a kit is sent to has not agreed to text messages.
const keys = { post: 'text.post', sample: 'text.sample', retest: 'text.retest' } as const
const isSaid = (stage: Stage): stage is keyof typeof keys => stage in keys

/** The text messages of a stage about these kits, by kit: to people who agreed to them. No word of what is tested. */
export async function textsTo(
  tx: Tx,
  stage: Stage,
  kits: readonly KitRow[],
): Promise<ReadonlyMap<string, NewTextMessage>> {
  const { publicUrl } = tx.context
  if (!isSaid(stage) || !publicUrl) return new Map()
  const people = kits.flatMap(({ customerId }) => customerId ?? [])
  const [numbers, translators] = [await numbersOf(tx, people), await translatorsOf(tx, people)]
  const { name: business } = await selectBrand(tx)
  return new Map(
    kits.flatMap(({ id, orderId, customerId }) => {
      const [to, t] = customerId === null ? [] : [numbers.get(customerId), translators.get(customerId)]
      if (!to || !t) return []
      const said = { business, kit: id, url: `${publicUrl}${stage === 'post' ? `/k/${id}` : '/r'}` }
      const text = `${t(keys[stage], said)} ${t('text.stop')}`
      return [[id, { kind: `text_${stage}` as const, to, text, orderId, kitId: id }] as const]
    }),
  )
}
