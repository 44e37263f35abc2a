import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { each } from '../harness/send.ts'
import { sharedWorld, type TestBusiness, type World } from '../harness/world.ts'

let world: World
let clinic: TestBusiness

beforeAll(async () => {
  world = await sharedWorld()
  clinic = await world.business()
})
afterAll(() => world.stop())

/** Writes bytes to a socket and returns the answer, until the socket closes, or is quiet while others are answered. */
function raw(text: string): Promise<string> {
  const { hostname, port } = new URL(world.service.url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    let answer = ''
    const end = () => {
      socket.destroy()
      resolve(answer)
    }
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', end).on('close', end)
    // Half a second may be too short for a busy machine: it is quiet if nothing came by the answer to what was asked later.
    socket.setTimeout(500).on('timeout', async () => {
      const soFar = answer.length
      await clinic.live.get('/verify-token')
      if (answer.length === soFar) end()
    })
    socket.write(text, 'latin1')
  })
}

const CRLF = '\r\n'
const get = `GET /api/v1/credits HTTP/1.1${CRLF}host: x${CRLF}`
const post = `POST /api/v1/create-order HTTP/1.1${CRLF}host: x${CRLF}content-type: application/json${CRLF}`
const broken: string[] = [
  '\0\0\0\0\r\n\r\n',
  'hello\r\n\r\n',
  '\r\n\r\n\r\n',
  `GET${CRLF}${CRLF}`,
  `GET /${CRLF}${CRLF}`,
  `GET / HTTP/9.9${CRLF}${CRLF}`,
  `GET / HTTP/1.1${CRLF}${CRLF}`,
  `GET /\0 HTTP/1.1${CRLF}host: x${CRLF}${CRLF}`,
  `NONSENSE / HTTP/1.1${CRLF}host: x${CRLF}${CRLF}`,
  `get / HTTP/1.1${CRLF}host: x${CRLF}${CRLF}`,
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  `CONNECT example.com:443 HTTP/1.1${CRLF}host: x${CRLF}${CRLF}`,
  `TRACE / HTTP/1.1${CRLF}host: x${CRLF}${CRLF}`,
  `OPTIONS * HTTP/1.1${CRLF}host: x${CRLF}${CRLF}`,
  `GET http://other.example/ HTTP/1.1${CRLF}host: x${CRLF}${CRLF}`,
  `GET //// HTTP/1.1${CRLF}host: x${CRLF}${CRLF}`,
  `GET /../../etc/passwd HTTP/1.1${CRLF}host: x${CRLF}${CRLF}`,
  `GET /docs/..%2f..%2fpackage.json HTTP/1.1${CRLF}host: x${CRLF}${CRLF}`,
  `${get}: empty${CRLF}${CRLF}`,
  `${get}a b: c${CRLF}${CRLF}`,
  `${get}a: b\0c${CRLF}${CRLF}`,
  `${get}x: ${'y'.repeat(20_000)}${CRLF}${CRLF}`,
  `${get}${'x: y\r\n'.repeat(5000)}${CRLF}`,
  `GET /${'x'.repeat(20_000)} HTTP/1.1${CRLF}host: x${CRLF}${CRLF}`,
  `${get}upgrade: websocket${CRLF}connection: upgrade${CRLF}${CRLF}`,
  `${get}expect: 100-continue${CRLF}${CRLF}`,
  `${get}expect: nonsense${CRLF}${CRLF}`,
  `${post}content-length: x${CRLF}${CRLF}`,
  `${post}content-length: -1${CRLF}${CRLF}`,
  `${post}content-length: 5${CRLF}content-length: 6${CRLF}${CRLF}hello`,
  `${post}content-length: 99999999999999999999${CRLF}${CRLF}x`,
  `${post}content-length: 5${CRLF}transfer-encoding: chunked${CRLF}${CRLF}0${CRLF}${CRLF}`,
  `${post}transfer-encoding: chunked${CRLF}${CRLF}zz${CRLF}`,
  `${post}transfer-encoding: chunked, identity${CRLF}${CRLF}5${CRLF}hello${CRLF}`,
  `${post}transfer-encoding: chunked${CRLF}${CRLF}ffffffffffffffff${CRLF}x`,
  `${post}content-length: 100${CRLF}${CRLF}{"half":`,
  `${get}${CRLF}GARBAGE${CRLF}${CRLF}${get}${CRLF}`,
  `${`${get}${CRLF}`.repeat(50)}\0\0\0`,
  `${post}content-length: 2${CRLF}${CRLF}{}{}{}{}`,
]

describe('what is not HTTP', () => {
  it('is answered with 4xx or by closing, and harms nobody else', async () => {
    const answers = await each(broken, raw, 8)
    const statuses = answers.map((answer) =>
      [...answer.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, code]) => Number(code)),
    )
    const wrong = statuses.flatMap((codes, i) => (codes.some((code) => code >= 500) ? [[broken[i], codes]] : []))
    expect(wrong).toEqual([])
    expect(statuses.filter((codes) => codes.some((code) => code >= 400)).length).toBeGreaterThan(20)
    for (const answer of answers) expect(answer).not.toMatch(/root:|"dependencies"|at .*\.ts:/)
    expect((await fetch(`${world.service.url}/health/ready`)).status).toBe(200)
    expect((await clinic.live.get('/verify-token')).status).toBe(200)
    expect(world.logged.filter((line) => line.includes('request failed'))).toEqual([])
  })

  it('with headers over 16 kB is refused in the one error shape, with a request id', async () => {
    const answer = await raw(`${get}x: ${'y'.repeat(20_000)}${CRLF}${CRLF}`)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    const [, id = ''] = /x-request-id: (req_\w+)/.exec(answer) ?? []
    const body = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))
    expect(body).toEqual({ error: body.message, message: body.message, code: 'VALIDATION_FAILED', requestId: id })
  })

  it('and half-sent requests that hold 100 connections open leave the others alone', async () => {
    const { hostname, port } = new URL(world.service.url)
    const sockets = Array.from({ length: 100 }, () => {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => socket.destroy())
      socket.write(get)
      return socket
    })
    try {
      expect((await clinic.live.get('/credits')).status).toBe(200)
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})

it('a body that is too large is refused at once, and its sender may go on sending until it has read the answer', async () => {
  const { hostname, port } = new URL(world.service.url)
  const socket = connect(Number(port), hostname)
  const answers = () => heard.match(/HTTP\/1\.1 (\d+)/g) ?? []
  let heard = ''
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1')
  })
  socket.on('error', (error) => {
    heard += String(error)
  })
  const length = 11 * 1024 * 1024
  const sent = 64 * 1024
  const token = `authorization: Token ${clinic.liveToken}${CRLF}`
  socket.write(`${post}${token}content-length: ${length}${CRLF}${CRLF}${'x'.repeat(sent)}`)
  await expect.poll(answers).toEqual(['HTTP/1.1 413'])
  expect(heard).toContain('PAYLOAD_TOO_LARGE')
  socket.write('x'.repeat(length - sent))
  socket.write(`${get}${token}${CRLF}`)
  await expect.poll(answers).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  socket.destroy()
})
