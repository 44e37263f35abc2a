import { z } from 'zod'
import { anyOfTexts, dayOf, line, Pagination, paging, said, timestamp } from '../../platform/http/fields.ts'

const lot = line(60).describe('The number that its maker prints.')
const component = line(100).describe('What it is, always written alike, such as `Lancet 28G`.')
const product = line(64).describe('The GTIN of sealed boxes, or the kit type of kits that are packed by hand.')
const isRecalled = z.boolean().describe('It stays set apart until its recall is closed.')
const day = z.string().describe('YYYY-MM-DD.')

const LotPart = z.object({ component, lot })
export type LotPart = z.infer<typeof LotPart>

const minimumDaysAtPacking = z.int().min(0).max(3650)

export const ComponentInput = LotPart.extend({
  expiryDate: dayOf.describe('The last day on which it may be used.'),
  quantity: z.int().min(1).max(100_000_000).describe('How many were received of it.'),
  minimumDaysAtPacking: minimumDaysAtPacking.default(60).describe('What it must have left when a kit is packed.'),
})
export type ComponentInput = z.infer<typeof ComponentInput>

export const Component = z
  .object({
    component,
    lot,
    expiryDate: day,
    quantity: z.int(),
    minimumDaysAtPacking: minimumDaysAtPacking.describe('What it must have left when a kit is packed.'),
    isUsable: z.boolean().describe('It may be packed today.'),
    quarantine: z.string().optional().describe('Why it is set apart.'),
    isRecalled,
    receivedDate: timestamp,
  })
  .meta({ id: 'ComponentLot' })
export type Component = z.infer<typeof Component>
export const ComponentPage = z.object({ data: z.array(Component), pagination: Pagination })
export const ComponentQuery = z.object({
  ...paging(50, 250),
  component: anyOfTexts(50).describe('Of these, by comma.'),
  lot: anyOfTexts(50).describe('Of these lots, by comma.'),
})

export const KitLotInput = z.object({
  product,
  lot,
  components: z.array(LotPart).max(50).default([]).describe('What it is built from. Further ones are added.'),
  load: z
    .boolean()
    .optional()
    .describe('Kits of this kit type that are packed without a box are of this lot from now on; `false`: no longer.'),
  outOfOrder: z.boolean().default(false).describe('Load it though another lot of a component expires first.'),
})
export type KitLotInput = z.infer<typeof KitLotInput>

export const KitLot = z
  .object({
    product,
    lot,
    components: z.array(LotPart.extend({ expiryDate: day })).describe('Those that expire first first.'),
    isLoaded: z.boolean().describe('The stations pack it.'),
    quarantine: z.string().optional().describe('Why it is set apart.'),
    isRecalled,
    problem: said.optional().describe('Why kits of it may not be packed today.'),
    createdDate: timestamp,
  })
  .meta({ id: 'KitLot' })
export type KitLot = z.input<typeof KitLot>
export const KitLotPage = z.object({ data: z.array(KitLot), pagination: Pagination })
export const KitLotQuery = z.object({
  ...paging(50, 250),
  product: anyOfTexts(50).describe('Of these, by comma.'),
  lot: anyOfTexts(50).describe('Of these lots, by comma.'),
})

export const Quarantine = z.object({
  kind: z.enum(['componentLot', 'kitLot']),
  subject: line(100).describe('The component, or the product.'),
  lot,
  reason: line(300).optional().describe('Why it is set apart; absent: it may be used again.'),
})
export type Quarantine = z.infer<typeof Quarantine>
