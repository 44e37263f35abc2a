import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import * as auditAnchors from '../modules/audit/anchors.ts'
import { sealAll } from '../modules/audit/seal.ts'
import { type AuditVerification, verifyAuditInBatches } from '../modules/audit/verify.ts'
import { shownReview } from '../modules/oversight/review/schema.ts'
import { accessReview, reviewCsv } from '../modules/oversight/review/service.ts'
import { accessesCsv, accessesIn } from '../modules/privacy/accesses/report.ts'
import { addAdministration, addGroup } from './command.ts'
import { verifyingLine } from './progress.ts'
import { findRealm, ofBusiness, whose } from './realm.ts'
import { type Continued, continuedIn, continuedInWords, fromStart, operator } from './session.ts'

const day = z.iso.date().optional()

export function addAuditCommands(root: Command): void {
  addAdministration(root, {
    name: 'verify-audit',
    summary: 'Seal new audit entries, and check that no entry was changed or removed.',
    options: {
      '--anchors <file>': 'a file with anchors that were kept elsewhere: compares the seals with them',
      ...fromStart,
    },
    input: z.object({ anchors: z.string().min(1).optional(), fromStart: z.boolean().optional() }),
    example: 'kitlane verify-audit --anchors anchors.txt',
    async run(database, { anchors: file, fromStart: again }) {
      const lines = file === undefined ? undefined : await readAnchors(file)
      await sealAll(database, operator)
      const progress = verifyingLine('audit')
      const {
        isOver: _,
        wholeEndedAt: __,
        continued,
        ...found
      } = await verifyAuditInBatches(database, operator, {
        which: 'whole',
        fromStart: again,
        show: progress.show,
      }).finally(progress.end)
      const bySeals = { ...found, ...continuedIn(continued) }
      if (!bySeals.intact) return { json: bySeals, text: inWords(bySeals), failed: true }
      // Without lines, the anchors in the database are compared: they say less, since anyone who changes the seals may change them.
      const anchors = await database.asSystem(operator, (tx) => auditAnchors.verifyAnchors(tx, lines ?? []))
      const intact = anchors.brokenAt === undefined
      const asFarAs: AsFarAs =
        anchors.until === undefined ? { known: 'seals' } : { known: 'anchors', until: anchors.until }
      const json = {
        ...bySeals,
        intact,
        asFarAs,
        ...(!intact && { brokenAt: anchors.brokenAt }),
        ...(lines && { anchors }),
      }
      const sentences = intact ? [inWords(bySeals), ...asFarAsInWords(asFarAs, anchors)] : [anchorsBroken(anchors)]
      return { json, text: sentences.join('\n'), failed: !intact }
    },
  })

  const group = addGroup(root, 'audit', 'Ask the audit.')
  addAdministration(group, {
    name: 'anchor',
    summary: 'Seal new audit entries, and print one line that proves how the audit is now. Keep it elsewhere.',
    options: {},
    input: z.object({}),
    example: 'kitlane audit anchor >> /mnt/elsewhere/anchors.txt',
    async run(database) {
      await sealAll(database, operator)
      const anchor = await database.asSystem(operator, auditAnchors.makeAnchor)
      return { json: { anchor: auditAnchors.anchorLine(anchor) }, text: auditAnchors.anchorLine(anchor) }
    },
  })

  addAdministration(group, {
    name: 'access-review',
    summary: 'List everybody who has access, as CSV. To sign off, use the dashboard.',
    options: {},
    input: z.object({}),
    example: 'kitlane audit access-review > access.csv',
    async run(database) {
      const review = await database.asSystem(operator, accessReview)
      return { json: shownReview(review), text: reviewCsv(review).trimEnd() }
    },
  })

  addAdministration(group, {
    name: 'who-saw',
    summary: 'List who saw the data of a person, as CSV to hand to them.',
    options: {
      ...whose,
      '--customer <customer>': 'the ID of the customer, or your external_id',
      '--from <date>': 'not before this day',
      '--to <date>': 'not after this day',
    },
    input: z.object({ ...ofBusiness, customer: z.string().min(1), from: day, to: day }),
    example: 'kitlane audit who-saw --business "Example Clinic" --customer 123456789012 > accesses.csv',
    async run(database, { customer, from, to, ...which }) {
      const { realm } = await findRealm(database, which)
      const json = await database.asSystem(operator, (tx) => accessesIn(tx, realm, customer, { from, to }))
      return { json, text: accessesCsv(json).trimEnd() }
    },
  })
}

function inWords({ intact, brokenAt, entries, sealed, continued }: AuditVerification & Continued): string {
  if (brokenAt) return `The audit was changed: ${brokenAt}.`
  if (intact)
    return `The audit is intact as far as its seals can tell: ${entries} entries, ${sealed} of them sealed.${continuedInWords({ continued })}`
  if (entries === 0)
    return 'The audit is empty, so that nothing was checked. That is right only where nobody has done anything yet.'
  return `Nothing was checked: none of the ${entries} entries is sealed. A long-running transaction delays sealing; if there is none, the record of the last seal is missing.`
}

async function readAnchors(file: string): Promise<auditAnchors.Anchor[]> {
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new StartError(`The file ${file} cannot be read.`, { cause })
  })
  const anchors = auditAnchors.anchorsIn(text)
  if (anchors.length > 0) return anchors
  throw new StartError(`There is no anchor in ${file}. An anchor is a line that begins with kitlane-anchor:1`)
}

/** What the outcome is based on. Only anchors that were kept elsewhere show that nothing was removed at the end, up to their time. */
type AsFarAs = { known: 'seals' } | { known: 'anchors'; until: string }

const anchorsBroken = ({ brokenAt }: auditAnchors.AnchorVerification) =>
  `The audit does not fit the anchors: ${brokenAt}.`

function asFarAsInWords(asFarAs: AsFarAs, { confirmed }: auditAnchors.AnchorVerification): string[] {
  if (asFarAs.known === 'seals')
    return [
      'Not known: whether somebody with all rights in the database removed the newest entries, or all entries of a business, together with their seals. Only an anchor that was kept elsewhere shows that: add --anchors <file>.',
    ]
  const count = confirmed === 1 ? '1 anchor fits' : `${confirmed} anchors fit`
  return [
    `${count}: the audit until ${asFarAs.until} is as it was then.`,
    'Not known: whether entries of after that were removed together with their seals.',
  ]
}
