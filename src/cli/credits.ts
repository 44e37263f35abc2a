import type { Command } from 'commander'
import { z } from 'zod'
import { publicKitType } from '../modules/catalogue/kit-type.ts'
import { entries, grant } from '../modules/credits/service.ts'
import { checkLedger } from '../modules/credits/verify.ts'
import { text } from '../platform/http/fields.ts'
import { addAdministration, addGroup, table } from './command.ts'
import { verifyingLine } from './progress.ts'
import { findRealm, ofBusiness, whose } from './realm.ts'
import { continuedIn, continuedInWords, fromStart, operator } from './session.ts'

const amount = z
  .string()
  .regex(/^-?[1-9]\d{0,8}$/, 'must be a whole number other than 0; a negative one takes credits back')
  .transform(Number)

export function addCreditCommands(root: Command): void {
  const group = addGroup(root, 'credits', 'Give out prepaid credits. One credit buys one kit of its type.')

  addAdministration(group, {
    name: 'grant',
    summary: 'Grant credits to a business, or take them back with a negative number.',
    options: {
      ...whose,
      '--type <type>': 'the kit type that the credits buy',
      '--amount <number>': 'the number of credits; a negative number takes them back',
      '--note <text>': 'a reason or an invoice number, kept in the ledger',
    },
    input: z.object({
      ...ofBusiness,
      type: z.string().min(1),
      amount,
      note: text(200).optional(),
    }),
    example: 'kitlane credits grant --business "Acme Clinic" --type ED1NL4E3L --amount 500 --note "invoice 1042"',
    async run(database, { business, type, amount, mode, note }) {
      const { found, realm } = await findRealm(database, { business, mode })
      const balances = await database.inRealm(realm, operator, async (tx) => {
        await grant(tx, [{ kitType: type, amount }], note)
        return entries(tx)
      })
      const shown = publicKitType(type)
      const credits = balances.find((entry) => entry.type === shown)?.credits ?? 0
      return {
        json: { business: found, mode, type: shown, granted: amount, credits },
        text: `${found.name} now has ${credits} ${mode} ${credits === 1 ? 'credit' : 'credits'} of ${shown}.`,
      }
    },
  })

  addAdministration(root, {
    name: 'verify-ledger',
    summary: 'Add up all credit transfers and compare them with the balances. The exit code is 1 if they differ.',
    options: fromStart,
    input: z.object({ fromStart: z.boolean().optional() }),
    example: 'kitlane verify-ledger',
    async run(database, { fromStart: again }) {
      const progress = verifyingLine('ledger')
      const { ok, ...found } = await checkLedger(database, operator, {
        which: 'whole',
        fromStart: again,
        show: progress.show,
      }).finally(progress.end)
      const continued = continuedIn(found.continued)
      const balances = found.balances.map((row) => ({ ...row, kitType: publicKitType(row.kitType) }))
      const orders = found.orders.map((row) => ({ ...row, kitType: publicKitType(row.kitType) }))
      const head = ['BUSINESS', 'MODE', 'KIT TYPE', 'ISSUED', 'SPENT', 'RESERVED', 'AVAILABLE', 'RESULT']
      const rows = balances.map((row) => [
        row.business,
        row.mode,
        row.kitType,
        ...[row.issued, row.spent, row.ledgerReserved, row.available].map(String),
        row.ok ? 'right' : `WRONG: the ledger says ${row.ledgerAvailable} available, ${row.ledgerReserved} reserved`,
      ])
      const wrong = orders.map(
        (row) => `WRONG: order ${row.orderId} took ${row.taken} of ${row.kitType}, not ${row.expected}.`,
      )
      const lost = found.orphans.map((kitId) => `WRONG: kit ${kitId} belongs to no order.`)
      const verdict = ok
        ? `Every balance equals the sum of its transfers.${continuedInWords(continued)}`
        : 'The ledger and the balances differ.'
      return {
        json: { ok, balances, orders, orphans: found.orphans, ...continued },
        text: [...(rows.length > 0 ? [table([head, ...rows])] : []), ...wrong, ...lost, verdict].join('\n'),
        failed: !ok,
      }
    },
  })
}
