import { type Columns, CSV, csvOf, type wantedTable } from '../../platform/http/csv.ts'
import { workbookFile } from '../../platform/http/workbook.ts'
import type { KitToPack } from './schema.ts'

/** As many kits as one file of shipments may have. */
export const MOST_IN_FILE = 2000

// The last three are empty: whoever fills them in sends the same file back as shipments.
const columns: Columns<KitToPack> = {
  kitID: (kit) => kit.kitID,
  orderID: (kit) => kit.orderID,
  kitType: (kit) => kit.kitType,
  panelName: (kit) => kit.panelName,
  business: (kit) => kit.business.name,
  name: ({ recipient }) => recipient?.name,
  street1: ({ recipient }) => recipient?.street1,
  street2: ({ recipient }) => recipient?.street2,
  city: ({ recipient }) => recipient?.city,
  state: ({ recipient }) => recipient?.state,
  zip: ({ recipient }) => recipient?.zip,
  country: ({ recipient }) => recipient?.country,
  phone: ({ recipient }) => recipient?.phone,
  kitsInOrder: (kit) => kit.kitsInOrder,
  replacementFor: (kit) => kit.replacementFor,
  orderedDate: (kit) => kit.orderedDate,
  carrier: () => undefined,
  outbound: () => undefined,
  return: () => undefined,
}

/** The kits to pack as a file for shipping software. Those of erased people are left out: nobody may ship them. */
export async function queueFile(kits: readonly KitToPack[], format: NonNullable<ReturnType<typeof wantedTable>>) {
  const shown = kits.filter(({ recipient }) => recipient)
  const write = format === CSV ? csvOf : workbookFile
  const { document, ...answer } = await write('kits-to-pack', columns, shown)
  return { ...answer, document: { ...document, shows: shown.map(({ kitID }) => kitID) } }
}
