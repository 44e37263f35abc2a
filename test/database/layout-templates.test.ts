import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configure } from '../../src/modules/businesses/service.ts'
import { commandLine } from '../harness/command-line.ts'
import { type Operator, operatorWith } from '../harness/operator.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'
import { makePdf, type Printed } from '../samples/make-pdf.ts'
import { heading, results, row, top, welshTemplate } from '../samples/welsh-sheet.ts'

let world: World
let clinic: TestBusiness
let lab: Operator
let userId: number

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
  await world.service.database.asSystem({ name: 'test' }, (tx) => configure(tx, clinic.id, { uploadsEnabled: true }))
  lab = await operatorWith(world, ['lab'])
  const customer = { email: 'jamie@example.test', name: 'Jamie Doe', dateOfBirth: '1980-03-02' }
  userId = (await clinic.live.post('/customer', customer)).body.id
})
afterAll(() => world.stop())

const path = '/layout-templates'
const blobOf = async (lines: Printed[]) =>
  `data:application/pdf;base64,${(await makePdf([{ lines }])).toString('base64')}`
const sheet = () => blobOf([...top, heading, ...results])
const csv = `data:text/csv;base64,${Buffer.from('Laboratorio Sokol\nPrawf;Canlyniad;Uned\nGlucose;92;mg/dL\n').toString('base64')}`

async function upload() {
  const body = { type: 'file', userId, date: '2026-01-15', fileBlob: await sheet() }
  const sent = await clinic.live.post('/customer/add-data', body)
  expect(sent.status, sent.text).toBe(201)
  return sent.body
}
const off = (body: object) => lab('POST', `${path}/Sokol laboratory/switch-off`.replace(' ', '%20'), body)

describe('layout templates of the operator', () => {
  it('are tried on a file: what would be read and what waits for which reason, and nothing is kept', async () => {
    const odd = row('Sodium', '1,5 apples', '', 'mmol/L', '')
    const fileBlob = await blobOf([...top, heading, ...results, odd])
    const { status, body, text } = await lab('POST', `${path}/try`, { template: welshTemplate, fileBlob })
    expect(status, text).toBe(200)
    expect(body).toMatchObject({
      recognised: true,
      format: 'pdf',
      personRead: ['name', 'dateOfBirth'],
      lines: { counted: 4, assessed: 3, waiting: 1, dismissed: 0 },
    })
    expect(body.results).toContainEqual({
      name: 'Potassium',
      value: '4,321',
      number: 4.321,
      unit: 'mmol/L',
      range: '3,500 - 5,100',
      position: 'page 1, line 6',
      collectedDate: '2025-05-04',
      biomarkerID: 'potassium',
    })
    expect(body.results).toContainEqual(expect.objectContaining({ name: 'Sodium', waitsFor: expect.any(String) }))
    expect(text).not.toContain('Jamie')
    const other = await lab('POST', `${path}/try`, { template: { ...welshTemplate, format: 'csv' }, fileBlob })
    expect(other).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } })
    const { ignoredLines: _i, endTitles: _e, ...rest } = welshTemplate
    const forCsv = { ...rest, format: 'csv', recognisedBy: ['Laboratorio Sokol'] }
    expect((await lab('POST', `${path}/try`, { template: forCsv, fileBlob: csv })).body).toMatchObject({
      recognised: true,
      results: [{ name: 'Glucose', number: 92, biomarkerID: 'glucose' }],
    })
    const unknown = { ...welshTemplate, columns: [] }
    expect((await lab('POST', `${path}/try`, { template: unknown, fileBlob })).body).toMatchObject({
      recognised: true,
      refused: expect.stringContaining('headings'),
      results: [],
    })
    expect((await lab('GET', path)).body).toEqual([])
  })

  it('count for uploads from the version that is saved until it is switched off', async () => {
    expect((await upload()).needsReview).toBe('layout')
    const saved = await lab('POST', path, welshTemplate)
    expect(saved, saved.text).toMatchObject({ status: 201, body: { version: 1, isOn: true, counts: true } })
    expect(await upload()).toMatchObject({
      totalBiomarkers: 3,
      notes: ['Read with the layout template "Sokol laboratory"'],
      lines: { counted: 3, assessed: 3 },
    })
    const second = { ...welshTemplate, recognisedBy: ['Laboratorio Sokol', 'nowhere in it'] }
    expect((await lab('POST', path, second)).body.version).toBe(2)
    expect((await upload()).needsReview).toBe('layout')
    expect((await off({ version: 2 })).status).toBe(200)
    expect((await lab('GET', path)).body).toMatchObject([
      { version: 2, isOn: false, counts: false },
      { version: 1, isOn: true, counts: true, template: welshTemplate },
    ])
    expect((await upload()).totalBiomarkers).toBe(3)
    expect((await off({})).status).toBe(200)
    expect((await upload()).needsReview).toBe('layout')
    expect(await off({ version: 9 })).toMatchObject({ status: 404, body: { code: 'LAYOUT_NOT_FOUND' } })
  })

  it('are changed by staff of the laboratory only, and every change and trial is in the audit', async () => {
    const mail = await operatorWith(world, ['mail'])
    expect((await mail('POST', path, welshTemplate)).status).toBe(403)
    const entries = await world.service.database.asSystem({ name: 'test' }, (tx) =>
      tx.rows(sql<{ action: string }>`
        select action from audit_entries where object_type = 'layout_template' and action <> 'layout.tried' order by at`),
    )
    expect(entries.map(({ action }) => action)).toEqual([
      ...['layout.changed', 'layout.changed', 'layout.switched_off', 'layout.switched_off'],
    ])
  })

  it('are tried on the command line, too', async () => {
    const cli = await commandLine(world.urls.owner, world.encryptionKey)
    const [sample, template] = [join(cli.folder, 'sample.pdf'), join(cli.folder, 'layout.json')]
    await writeFile(sample, await makePdf([{ lines: [...top, heading, ...results] }]))
    await writeFile(template, JSON.stringify(welshTemplate))
    const args = ['layouts', 'try', '--file', sample, '--template', template]
    expect(await cli.json(...args)).toMatchObject({ recognised: true, lines: { counted: 3, assessed: 3 } })
    await writeFile(template, JSON.stringify({ ...welshTemplate, recognisedBy: [] }))
    expect(await cli.refusal(...args)).toContain('recognisedBy: Say at least one text')
    await cli.close()
  })

  it('are refused with each mistake in words', async () => {
    const wrong = { ...welshTemplate, recognisedBy: ['lab'], decimalSign: ';' }
    const { status, body } = await lab('POST', path, wrong)
    expect(status).toBe(400)
    expect(body.details.map((one: { path: string }) => one.path)).toContain('decimalSign')
  })
})
