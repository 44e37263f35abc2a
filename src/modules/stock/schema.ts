import { z } from 'zod'
import {
  anyOf,
  anyOfTexts,
  anyText,
  isoDate,
  isTrue,
  line,
  optionalText,
  Pagination,
  paging,
  said,
  timestamp,
} from '../../platform/http/fields.ts'
import { isGtin } from './code.ts'
import { boxStates, kinds, reasons } from './decision.ts'

const MOST_BOXES = 1000

const place = line(60).describe('Where boxes lie: any name. As it was first spelled, large or small.')
const code = anyText(400).describe(
  'What a barcode reader gives (GS1 elements or a Digital Link), or a serial number that is unambiguous.',
)
const gtinText = z.string().describe('GTIN of its product, 14 digits.')
const serialText = z.string().describe('As it is printed.')
const lotText = z.string().describe('Lot of production.')
const placeText = z.string().describe('Where boxes lie.')
const day = z.string().describe('YYYY-MM-DD.')

const gtin = z
  .string()
  .regex(/^\d{8,14}$/, 'A GTIN has 8, 12, 13 or 14 digits')
  .transform((text) => text.padStart(14, '0'))
  .refine(isGtin, 'The check digit of this GTIN is wrong')
  .describe('GTIN with its check digit.')

export const gtinParam = z.object({ gtin })

export const ProductInput = z.object({
  kitType: line(64),
  reorderPoints: z
    .record(place, z.int().min(0).max(1_000_000))
    .default({})
    .describe('By place: with fewer boxes that can be packed, it is low.'),
  minimumDaysAtPacking: z.int().min(0).max(3650).default(60).describe('What a box must have left when it is packed.'),
  registerDaysBeforeExpiry: z.int().min(0).max(3650).default(30).describe('A kit is registered until so long before.'),
})
export type ProductInput = z.infer<typeof ProductInput>

export const Product = ProductInput.extend({ gtin: gtinText, changedDate: timestamp }).meta({ id: 'StockProduct' })
export const ProductPage = z.object({ data: z.array(Product), pagination: Pagination })
export const ProductQuery = z.object(paging(50, 250))

const note = optionalText(300).describe('Never about a person.')

export const ReceiptInput = z.object({
  place,
  boxes: z
    .array(
      z.object({
        code,
        gtin: gtin.optional().describe('Where the code does not say it.'),
        lot: line(20).optional().describe('Where the code does not say it.'),
        expiryDate: isoDate.optional().describe('Where the code does not say it.'),
      }),
    )
    .min(1)
    .max(MOST_BOXES)
    .describe('One entry for each.'),
  note,
  dryRun: z.boolean().default(false).describe('Only says what would happen.'),
})
export type ReceiptInput = z.infer<typeof ReceiptInput>

const boxes = z.array(code).min(1).max(MOST_BOXES).describe('Codes of boxes.')
export const TransferInput = z.object({ to: place, boxes, note })
export type TransferInput = z.infer<typeof TransferInput>

export const AdjustmentInput = z
  .object({
    reason: z.enum(reasons).describe('found puts a box back into stock; the others write it off.'),
    boxes,
    place: place.optional().describe('Where a box was found. Default: where it was.'),
    note: note.describe('Needed for other. Never about a person.'),
  })
  .refine(({ reason, note }) => reason !== 'other' || note, { path: ['note'], message: 'Say why' })
export type AdjustmentInput = z.infer<typeof AdjustmentInput>

export const CountInput = z
  .object({
    place,
    boxes: z.array(code).max(5000).describe('All that lies there.'),
    gtins: z.array(gtin).min(1).max(50).optional().describe('Only these products are counted.'),
    apply: z.boolean().default(false).describe('Write off what is missing, and take in what is unexpected.'),
    note: note.describe('Needed to apply it. Never about a person.'),
  })
  .refine(({ apply, note }) => !apply || note, { path: ['note'], message: 'Say why' })
  .refine(({ apply, boxes }) => !apply || boxes.length > 0, {
    path: ['boxes'],
    message: 'A count of nothing would write off everything: adjust the boxes instead',
  })
export type CountInput = z.infer<typeof CountInput>

export const MovedRow = z.object({
  code: z.string(),
  status: z.enum(['done', 'already', 'failed']),
  gtin: gtinText.optional(),
  serial: serialText.optional(),
  error: said.optional(),
})
export type MovedRow = z.input<typeof MovedRow>

export const Moved = z
  .object({
    done: z.int().describe('Boxes that it changed.'),
    already: z.int(),
    failed: z.int(),
    rows: z.array(MovedRow),
  })
  .meta({ id: 'StockMoved' })

export const Box = z
  .object({
    gtin: gtinText,
    serial: serialText,
    kitType: z.string(),
    lot: lotText,
    expiryDate: day,
    place: placeText,
    state: z.enum(boxStates).describe('bound: on a kit.'),
    kitID: z.string().optional(),
    registerBy: day.optional().describe('The last day on which its kit can be registered.'),
    receivedDate: timestamp,
  })
  .meta({ id: 'StockBox' })
export type Box = z.infer<typeof Box>

export const Counted = z
  .object({
    applied: z.boolean().describe('It changed the stock.'),
    expected: z.int().describe('Boxes in stock there, as far as is known.'),
    counted: z.int().describe('Of them, those that were scanned.'),
    missing: z.array(Box).describe('Expected, and not scanned.'),
    unexpected: z.array(Box).describe('Scanned there, and known elsewhere or as written off.'),
    failed: z.array(MovedRow),
  })
  .meta({ id: 'StockCount' })

export const BoxQuery = z.object({
  ...paging(50, 250),
  gtin: anyOfTexts(50).describe('Of these products, by comma.'),
  place: anyOfTexts(50).describe('At these places, by comma.'),
  lot: anyOfTexts(50).describe('Of these lots, by comma.'),
  serial: anyOfTexts(50).describe('Of these serial numbers, by comma, in any letters.'),
  state: anyOf(boxStates),
})
export const BoxPage = z.object({ data: z.array(Box), pagination: Pagination })

export const BoxHistory = z
  .object({
    box: Box.describe('As it stands.'),
    problem: said.optional().describe('Why it cannot be packed for a kit of `kitType` now.'),
    movements: z
      .array(
        z.object({
          kind: z.enum(kinds),
          place: placeText,
          reason: z.enum(reasons).optional(),
          note: z.string().optional(),
          kitID: z.string().optional(),
          by: z.string(),
          at: timestamp,
        }),
      )
      .describe('Oldest first. What stands is their sum.'),
  })
  .meta({ id: 'StockBoxHistory' })

export const codeParam = z.object({ code })
export const ForKitType = z.object({ kitType: line(64).optional().describe('To say whether it can be packed for it.') })

export const LevelQuery = z.object({
  ...paging(50, 250),
  place: anyOfTexts(50).describe('At these places, by comma.'),
  kitType: anyOfTexts(50).describe('Of these, by comma.'),
  isLow: isTrue.optional().describe('Only what is below its reorder point.'),
})

const Level = z
  .object({
    place: placeText,
    gtin: gtinText,
    kitType: z.string(),
    inStock: z.int().describe('Boxes.'),
    usable: z.int().describe('Of them, those with enough days left to be packed today.'),
    soonestExpiry: day.optional(),
    reorderPoint: z.int().optional().describe('Of the product, at this place.'),
    isLow: z.boolean().describe('Fewer are usable than the reorder point.'),
    lots: z
      .array(z.object({ lot: lotText, inStock: z.int().describe('Boxes.'), soonestExpiry: day }))
      .describe('Those that expire first first.'),
  })
  .meta({ id: 'StockLevel' })
export const LevelPage = z.object({ data: z.array(Level), pagination: Pagination })

/** The box of a kit, as its business sees it. */
export const KitBox = z.object({
  gtin: gtinText,
  serial: serialText,
  lot: lotText,
  expiryDate: day,
  registerBy: day.describe('The last day on which the kit can be registered.'),
})
export type KitBox = z.infer<typeof KitBox>
