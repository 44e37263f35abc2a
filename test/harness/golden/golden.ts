import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sentence } from '@kitlane/display/sentence'
import type { NewResult } from '@kitlane/lab-reader/identify/result'
import type { Command } from 'commander'
import { expect, it } from 'vitest'
import { randomOf } from '../../../prove/random.ts'
import { asText } from '../../../src/cli/openapi-document.ts'
import { program } from '../../../src/cli/program.ts'
import { isOwnId } from '../../../src/domain/ids.ts'
import { languages } from '../../../src/domain/translations/translator.ts'
import { biomarkers } from '../../../src/modules/catalogue/service.ts'
import { issueLinks } from '../../../src/modules/links/service.ts'
import { manualClock } from '../../../src/platform/clock.ts'
import { databaseUrls } from '../../../src/platform/database/connect.ts'
import { prepareDatabase } from '../../../src/service/app.ts'
import { apiDocuments } from '../api-documents.ts'
import { readBackAll } from '../critical.ts'
import { createCluster, POSTGRES_15 } from '../debian-cluster.ts'
import { freePort } from '../free-port.ts'
import { operatorWith } from '../operator.ts'
import { reporting, ULTIMATE } from '../reports.ts'
import { verdictCases } from '../verdict-cases.ts'
import { visitor } from '../visitor.ts'
import { ownWorld } from '../world.ts'
import { emails } from './emails.ts'

const [PEOPLE, REPORTS_EACH, PDFS_EACH_LANGUAGE] = [40, 5, 8]
const folder = process.env.GOLDEN_FOLDER ?? ''

function write(path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

/** IDs, numbers of customers and secrets are random: each becomes the number of its first appearance in the text. */
function tidy(text: string): string {
  const seen: string[] = []
  return text.replace(/(?<![\w-])[\w-]{43}(?![\w-])|\b\w{9,28}\b/g, (word) => {
    if (word.length < 43 && !isOwnId(word) && !/^\d{12}$/.test(word)) return word
    if (!seen.includes(word)) seen.push(word)
    return `<${seen.indexOf(word)}>`
  })
}

it('what needs no database', async () => {
  rmSync(folder, { recursive: true, force: true })
  for (const [path, text] of emails()) write(path, text)
  for (const [name, document] of Object.entries(apiDocuments)) write(`openapi/${name}.json`, asText(document))
  const writeHelp = (command: Command, path: string) => {
    const said: string[] = []
    command.configureOutput({ writeOut: (text) => void said.push(text), getOutHelpWidth: () => 100 }).outputHelp()
    write(`help/${path}.txt`, said.join(''))
    for (const one of command.commands) writeHelp(one, `${path} ${one.name()}`)
  }
  writeHelp(await program(), 'kitlane')
})

it('reports, as a business, the operator and the person get them', async () => {
  const random = randomOf(31)
  const clock = manualClock(new Date('2026-03-01T12:00:00Z'))
  const world = await ownWorld('sets the clock', {}, { clock })
  const at = await reporting(world)
  await world.grant(at.clinic, ULTIMATE, PEOPLE * REPORTS_EACH)
  const operator = await operatorWith(world, ['review'])
  const cases = new Map((await at.inLive(biomarkers)).map((one) => [one.id, [...verdictCases(one)]]))
  const choices = (await at.everything()).map((one): NewResult[] => [
    ...[one, ...(cases.get(one.biomarkerId) ?? []).map(({ given }) => given)],
  ])
  /** Some 45 values at limits and beside them, in any unit, with any flag; and findings. */
  const draw = () => choices.filter(() => random.fraction() < 0.06).map((ofOne) => random.pick(ofOne))
  for (let person = 0; person < PEOPLE; person++) {
    const [year, month, day] = [String(random.between(1940, 2007)), '03', '10']
    const dateOfBirth = `${year}-${month}-${day}`
    const who = { email: `person${person}@example.test`, sex: random.pick(['F', 'M']), dateOfBirth }
    const made: Awaited<ReturnType<typeof at.report>>[] = []
    for (let number = 0; number < REPORTS_EACH; number++) {
      clock.advance(24 * 3600 * 1000)
      const labErrors = random.pick([[], [], [], ['HEMOLYSIS'], ['QNS', 'DELAYED_SAMPLE_DELIVERY']])
      made.push(await at.report(draw(), { labErrors }, who))
    }
    // Of the last one, there is a second version.
    const { kitId, customerId = 0 } = made.at(-1) ?? { kitId: '' }
    const { reportId } = await at.receive({
      kitId,
      results: draw(),
      corrected: true,
      reason: sentence('Looked at again'),
    })
    await readBackAll(at.clinic.live.request, reportId)
    const [link] = await at.inLive((tx) => issueLinks(tx, '', [{ customerId }]))
    const browser = visitor(world.service.url)
    await browser.submit(await browser.open(link?.url ?? ''), { year, month, day })
    for (const [number, one] of made.entries()) {
      const name = `reports/${person}-${number}`
      // What something else than a critical value keeps, such as haemolysis, waits for a person.
      if ((await at.clinic.live.get(one.path)).status === 404) await at.publish(one)
      const business = await at.clinic.live.get(one.path)
      const review = await operator('GET', `/reports/${one.reportId}`)
      const page = await browser.open(`/r/reports/${one.reportId}`)
      expect([business.status, review.status, page.status], page.text).toEqual([200, 200, 200])
      write(`${name}/business.json`, tidy(JSON.stringify(business.body, null, 1)))
      write(`${name}/operator.json`, tidy(JSON.stringify(review.body, null, 1)))
      write(`${name}/person.html`, tidy(page.html))
      for (const language of number === 0 && person < PDFS_EACH_LANGUAGE ? languages : []) {
        const { pages } = await at.pdfOf({ ...one, path: `${one.path}?language=${language}` })
        write(`${name}/${language}.txt`, tidy(pages.flatMap((items) => items.map(({ str }) => str)).join('\n')))
      }
    }
  }
  await world.stop()
})

// The embedded PostgreSQL has no pg_dump.
it.runIf(existsSync(join(POSTGRES_15, 'pg_dump')))('the schema of the database', async () => {
  const cluster = await createCluster(POSTGRES_15)
  const port = await freePort()
  cluster.start(port, '-c fsync=off')
  const url = `postgres://kitlane@127.0.0.1:${port}/postgres`
  await prepareDatabase(databaseUrls(url)).finally(() => {
    const dump = cluster.run('pg_dump', ['--dbname', url, '--schema-only'])
    // With a random word, pg_dump keeps text of the dump from being read as a command.
    write('schema.sql', dump.replace(/^\\(un)?restrict .*$/gm, ''))
    cluster.stop()
  })
  await cluster.remove()
})
