import { loadImage } from '@napi-rs/canvas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { configure } from '../../src/modules/businesses/service.ts'
import { createOperatorToken } from '../../src/modules/identity/operator-tokens.ts'
import { parseInChild } from '../../src/modules/lab/parse-in-child.ts'
import type { Candidate } from '../../src/modules/lab/review/schema.ts'
import { sealedNotes } from '../../src/modules/lab/review/sealed-queries.ts'
import type { Caller } from '../harness/caller.ts'
import { anOrder } from '../harness/orders.ts'
import { person, signIn } from '../harness/people.ts'
import { rewriteSealed } from '../harness/sealed-values.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'
import * as hostile from '../samples/hostile.ts'
import { makePdf } from '../samples/make-pdf.ts'
import { expected, labSheet, pdfOfPictures, scanPage } from '../samples/make-scan.ts'
import { score } from '../samples/score-scan.ts'

let world: World
// biome-ignore lint/suspicious/noExplicitAny: tests read answers as a caller without types would
type Answered = { status: number; headers: Headers; body: any; bytes: Buffer }
let lab: (path: string, body?: unknown, type?: string) => Promise<Answered>
beforeAll(async () => {
  world = await sharedWorld()
  const { token } = await world.service.database.asSystem({ name: 'cli' }, (tx) =>
    createOperatorToken(tx, { name: 'lab', scopes: ['lab'] }),
  )
  lab = async (path, body, type = 'application/json') => {
    const response = await fetch(`${world.service.url}/operator/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Token ${token}`, 'content-type': type },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, bytes, body: isJson && JSON.parse(bytes.toString()) }
  }
})
afterAll(() => world.stop())

const born = '1980-02-03'

async function clinicWith(changes = {}): Promise<{ clinic: TestBusiness; userId: number }> {
  const clinic = await world.business()
  await world.service.database.asSystem({ name: 'cli' }, (tx) => configure(tx, clinic.id, { uploadsEnabled: true }))
  const person = { email: 'jo@example.test', name: 'Jamie Doe', dateOfBirth: born, gender: 'F', ...changes }
  return { clinic, userId: (await clinic.live.post('/customer', person)).body.id }
}

async function upload(clinic: TestBusiness, userId: number, bytes: Uint8Array, fileName?: string) {
  // Drawing the scan blocks the event loop, and the service in this process sheds load until the loop is free again.
  await expect.poll(async () => (await clinic.live.get('/verify-token')).status).toBe(200)
  const fileBlob = `data:application/pdf;base64,${Buffer.from(bytes).toString('base64')}`
  const { status, body } = await clinic.live.post('/customer/add-data', {
    type: 'file',
    userId,
    date: '2025-04-01',
    fileBlob,
    fileName,
  })
  return { status, body }
}

async function registered(clinic: TestBusiness, person: object): Promise<{ kitID: string }> {
  const { orderId } = (await clinic.live.post('/create-order', anOrder())).body
  const { kitID } = (await clinic.live.get(`/orders/${orderId}`)).body.kits[0]
  const { status } = await clinic.live.post(`/kits/${kitID}/register`, { sex: 'F', ...person })
  expect(status).toBe(200)
  return { kitID }
}

/** Waits until its text is recognised. */
async function readUpload(api: Caller, docId: string) {
  const get = async () => (await api.get(`/uploads/${docId}`)).body
  await expect.poll(async () => (await get()).state, { interval: 200 }).toBe('waiting')
  return get()
}

const confirmation = (candidates: Candidate[]) => ({
  collectedDate: '2025-03-24',
  results: candidates
    .filter(({ biomarker, problem }) => biomarker && !problem)
    .map(({ biomarker, value, unit, range }) => ({ biomarker, value: Number(value), unit, range })),
  confirmed: true,
})

describe('a scan', () => {
  it('is answered at once, then waits with suggestions, and becomes a report only by what a person confirms', async () => {
    const { clinic, userId } = await clinicWith()
    const picture = await scanPage(labSheet(), { dpi: 216, angle: 0.8, noise: 40, format: 'jpeg' })
    const sent = await upload(clinic, userId, await pdfOfPictures([picture]), '../../../etc/passwd')
    expect([sent.status, sent.body.needsReview, sent.body.reports]).toEqual([201, 'scan', []])
    expect(sent.body.notes[0]).toContain('a person then confirms each value')
    const { docId } = sent.body

    const read = await readUpload(clinic.live, docId)
    expect(read).toMatchObject({ docID: docId, customerID: userId, format: 'pdf', pages: 1, pageImages: [1] })
    expect(read).toMatchObject({ collectedDate: '2025-03-24', patient: { dateOfBirth: born }, date: '2025-04-01' })
    expect(read.personProblem).toBeUndefined()
    const figures = scored(read.candidates)
    expect(figures).toMatchObject({ wrongNotFlagged: 0, invented: 0 })
    expect(figures.right).toBeGreaterThanOrEqual(16)
    const glucose: Candidate = read.candidates.find((one: Candidate) => one.biomarker === 'glucose')
    expect(glucose).toMatchObject({ value: '92', unit: 'mg/dL', range: { low: 70, high: 99 }, crop: { page: 1 } })
    expect((await clinic.live.get(`/customers/${userId}`)).body.reports).toEqual([])

    const listed = (await lab('/uploads?needsReview=scan&size=250')).body
    const mine = listed.data.find((one: { docID: string }) => one.docID === docId)
    expect(mine).toMatchObject({ business: { id: clinic.id }, mode: 'live', fileName: '../../../etc/passwd' })
    expect((await lab(`/uploads/${docId}`)).body.candidates).toEqual(read.candidates)

    const page = await lab(`/uploads/${docId}/pages/1`)
    expect(page.headers.get('content-type')).toBe('image/png')
    expect((await loadImage(page.bytes)).width).toBeGreaterThan(1000)
    const original = await lab(`/uploads/${docId}/file`)
    expect(original.headers.get('content-disposition')).toMatch(/^attachment; filename="upload-doc\w+\.pdf"$/)
    expect(original.headers.get('content-type')).toBe('application/octet-stream')
    expect((await lab(`/uploads/${docId}/pages/2`)).status).toBe(404)

    const body = confirmation(read.candidates)
    const unsure = await lab(`/uploads/${docId}/results`, { ...body, confirmed: false })
    expect(unsure.status).toBe(400)
    const [first] = body.results
    const wrong = await lab(`/uploads/${docId}/results`, { ...body, results: [{ ...first, unit: 'furlongs' }] })
    expect([wrong.status, wrong.body.details[0].path]).toEqual([400, 'results.0'])
    const done = await lab(`/uploads/${docId}/results`, body)
    expect(done.status).toBe(201)
    const { reportID, matched } = done.body
    expect(matched).toBe(body.results.length)
    const again = await lab(`/uploads/${docId}/results`, body)
    expect([again.status, again.body.code]).toEqual([409, 'UPLOAD_CLOSED'])
    expect((await clinic.live.get(`/uploads/${docId}`)).body).toMatchObject({
      state: 'confirmed',
      reportID,
      pageImages: [],
    })
    expect((await clinic.live.get(`/customers/${userId}`)).body.reports).toEqual([
      expect.objectContaining({ id: reportID }),
    ])
    const owner = await world.owner()
    const { rows } = await owner.query(`select actor, details from audit_entries where action = 'upload.confirmed'`)
    expect(rows).toEqual([
      {
        actor: expect.stringMatching(/^operator:/),
        details: expect.objectContaining({ reportId: reportID, changed: 0 }),
      },
    ])
  })

  it('with a scanner’s own text behind it is no text, but a scan', async () => {
    const picture = await scanPage(labSheet(), { dpi: 72, format: 'jpeg' })
    const scan = await pdfOfPictures([picture], labSheet())
    await expect(parseInChild(scan)).rejects.toMatchObject({ needsReview: 'scan' })
    expect((await parseInChild(await makePdf([labSheet()]))).reports[0]?.observations).toHaveLength(expected.length)
  })
})

const scored = (candidates: Candidate[]) => score(candidates, expected)

describe('a picture', () => {
  it('is recognised like a scan, by the business itself too, and can be dismissed once with a reason', async () => {
    const { clinic, userId } = await clinicWith({ dateOfBirth: '1990-01-01' })
    const other = await world.business()
    const jpeg = await scanPage(labSheet(), { dpi: 150, angle: -1.2, noise: 25, format: 'jpeg' })
    const { body } = await upload(clinic, userId, jpeg)
    expect(body.needsReview).toBe('image')
    const read = await readUpload(clinic.live, body.docId)
    expect(scored(read.candidates)).toMatchObject({ wrongNotFlagged: 0, invented: 0 })
    expect(scored(read.candidates).right).toBeGreaterThanOrEqual(16)
    expect(read.personProblem).toContain('date of birth')
    expect((await other.live.get(`/uploads/${body.docId}`)).body.code).toBe('UPLOAD_NOT_FOUND')
    expect((await clinic.sandbox.get(`/uploads/${body.docId}`)).body.code).toBe('UPLOAD_NOT_FOUND')
    const dismiss = () => clinic.live.post(`/uploads/${body.docId}/dismiss`, { reason: 'Of her sister' })
    expect((await dismiss()).body).toEqual({ docID: body.docId, state: 'dismissed' })
    expect((await dismiss()).body.code).toBe('UPLOAD_CLOSED')
    const closed = (await clinic.live.get('/uploads?state=dismissed')).body.data
    expect(closed).toEqual([expect.objectContaining({ docID: body.docId, state: 'dismissed', candidates: 0 })])
    expect((await clinic.live.get('/uploads')).body.pagination.total).toBe(0)
  })

  it('may be dismissed by the operator too', async () => {
    const { clinic, userId } = await clinicWith()
    const { body } = await upload(clinic, userId, hostile.pngClaiming(60_000, 60_000))
    const read = await readUpload(clinic.live, body.docId)
    expect(read).toMatchObject({ candidates: [], pageImages: [], note: expect.stringContaining('too large') })
    const dismissed = await lab(`/uploads/${body.docId}/dismiss`, { reason: 'No laboratory sheet' })
    expect(dismissed.body).toEqual({ docID: body.docId, state: 'dismissed' })
    expect((await lab(`/uploads/${body.docId}/dismiss`, { reason: 'Again' })).body.code).toBe('UPLOAD_CLOSED')
    expect((await lab('/uploads/doc_nothing')).body.code).toBe('UPLOAD_NOT_FOUND')
  })

  it('from a telephone that stores HEIC says at once that it cannot be read, in the language of the dashboard', async () => {
    const { clinic, userId } = await clinicWith()
    const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic', 'latin1'), Buffer.alloc(200)])
    const { body } = await upload(clinic, userId, heic)
    expect(body).toMatchObject({ needsReview: 'image', notes: [expect.stringContaining('HEIC')] })
    expect((await clinic.live.get(`/uploads/${body.docId}`)).body).toMatchObject({ state: 'waiting', candidates: [] })
    const { in: of } = await signIn(world, await person(world, 'business-admin', clinic))
    const noteIn = async (language: string) =>
      (await of(clinic).get(`/uploads/${body.docId}`, { 'accept-language': language })).body.note
    const es = 'Las imágenes HEIC no se pueden leer aquí: abrir el archivo para leerlo, o pedirlo como JPEG, PNG o PDF'
    expect([await noteIn('en'), await noteIn('es')]).toEqual([body.notes[0], es])
    const rewrite = (note: string) =>
      rewriteSealed(world.service.database, sealedNotes, body.docId, () => ({ note, reason: null }))
    await rewrite(body.notes[0])
    expect([await noteIn('en'), await noteIn('es')], 'as release 0.1.0 kept it').toEqual([body.notes[0], es])
    await rewrite('No release says this.')
    expect(await noteIn('es')).toBe('No release says this.')
    const named = (await clinic.live.request('GET', `/uploads/${body.docId}/file`)).headers
    expect(named.get('content-disposition')).toContain('.heic"')
  })
})

describe('a file with text', () => {
  it('in no layout that is known is suggested from its text, without recognition', async () => {
    const { clinic, userId } = await clinicWith()
    const lines: [number, string][][] = [
      [[40, 'Dear Jamie, these are your values of last week, with our kind regards.']],
      [[40, 'Glucose 92 mg/dL 70-99']],
      [[40, 'Hemoglobin A1c 5.8 % 4.8-5.6']],
    ]
    const { body } = await upload(clinic, userId, await makePdf([{ lines, leading: 2 }]))
    expect(body.needsReview).toBe('layout')
    const read = await readUpload(clinic.live, body.docId)
    expect(read.candidates).toEqual([
      expect.objectContaining({ biomarker: 'glucose', value: '92', unit: 'mg/dL' }),
      expect.objectContaining({ biomarker: 'hba1c', value: '5.8', problem: expect.stringContaining('not flagged') }),
    ])
    expect(read.candidates[0].confidence).toBeUndefined()
    expect(read.pageImages).toEqual([1])
  })
})

describe('an erasure', () => {
  const message = (name: string, birth: string, kit = 'NOBODY') =>
    [
      'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
      `PID|1||X||${name}||${birth}|F`,
      `OBR|1|${kit}|ACC-${name}|24331-1^Lipid panel^LN|||20260401083000`,
      'OBX|1|NM|13457-7^LDL Cholesterol^LN||97|mg/dL|0-99|N|||F',
    ].join('\r')

  it('takes files, pages and suggestions along, and messages of laboratories that are surely about the person', async () => {
    const { clinic, userId } = await clinicWith({ name: 'Ada Grey', dateOfBirth: '1951-07-07' })
    const { body } = await upload(clinic, userId, Buffer.from(message('Else^Some', '19410101')))
    expect(body.needsReview).toBe('person')
    expect((await clinic.live.get(`/uploads/${body.docId}`)).body).toMatchObject({
      state: 'waiting',
      format: 'hl7v2',
      pages: 0,
      candidates: [{ biomarker: 'ldl', value: '97' }],
    })
    const owner = await world.owner()
    await owner.query(
      `insert into upload_pages select realm_id, document_id, 1, '\\x00' from upload_reviews where document_id = $1`,
      [body.docId],
    )
    const waiting = async (text: string) =>
      (await lab('/lab/results', text, 'application/hl7-v2')).body.reports[0].messageID
    const born = { dateOfBirth: '1962-08-08' }
    const twin = await clinic.live.post('/customer', { email: 'uma@example.test', name: 'Uma Grey', ...born })
    const { kitID } = await registered(clinic, {
      firstName: 'Other',
      lastName: 'Person',
      email: 'o@example.test',
      ...born,
    })
    const unsure = await waiting(message('Grey^Uma', '19620808'))
    const hers = await waiting(message('Grey^Ada', '19510707'))
    const sister = await waiting(message('Grey^Eve', '19510707'))
    await clinic.live.request('DELETE', `/customers/${userId}`)
    await clinic.live.request('DELETE', `/customers/${twin.body.id}`)
    for (const table of ['upload_reviews', 'upload_pages', 'documents']) {
      const key = table === 'documents' ? 'id' : 'document_id'
      expect((await owner.query(`select 1 from ${table} where ${key} = $1`, [body.docId])).rows).toEqual([])
    }
    const states = await owner.query('select id, status, parsed from lab_messages where id = any($1)', [
      [hers, sister, unsure],
    ])
    expect(states.rows.find(({ id }) => id === hers)).toMatchObject({ status: 'discarded', parsed: {} })
    expect(states.rows.find(({ id }) => id === sister)).toMatchObject({ status: 'waiting' })
    expect(states.rows.find(({ id }) => id === unsure)).toMatchObject({ status: 'waiting' })
    const left = (await lab('/lab/messages?size=250')).body.find((one: { id: string }) => one.id === unsure)
    expect([kitID, left.reason]).toEqual([expect.any(String), expect.stringContaining('was erased')])
  })
})
