// Takes webhooks: checks the signature, leaves out what came before, keeps the event, and answers. The work is done later, from
// the file: Kitlane sends again what is not answered within 15 seconds.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { Webhook, WebhookError } from '@kitlane/client'

const { KITLANE_WEBHOOK_SECRET = '', INBOX = 'inbox.jsonl', PORT = '3000' } = process.env
const MOST_BYTES = 1_000_000

// Two secrets with a blank between them, while one is changed for the other.
const webhook = new Webhook(KITLANE_WEBHOOK_SECRET.split(' '))
const seen = readInbox()

/** The IDs of the events that are kept already. */
function readInbox() {
  const text = existsSync(INBOX) ? readFileSync(INBOX, 'utf8') : ''
  // The machine may have stopped in the middle of a line: its event was not answered, and comes again.
  if (text && !text.endsWith('\n')) appendFileSync(INBOX, '\n')
  return new Set(Array.from(text.matchAll(/^\{"id":"([^"]+)".*\}$/gm), ([, id]) => id))
}

async function readBody(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

async function receive(request) {
  if (request.method !== 'POST') return 405
  const body = await readBody(request)
  if (!body) return 413
  const event = await webhook.verify(body, request.headers)
  if (seen.has(event.id)) return 204
  // On the disk before the answer: after it, Kitlane does not send the event again.
  appendFileSync(INBOX, `${JSON.stringify(event)}\n`, { flush: true })
  seen.add(event.id)
  return 204
}

const server = createServer((request, response) => {
  receive(request)
    .catch((err) => {
      if (!(err instanceof WebhookError)) console.error(err)
      return err instanceof WebhookError ? 400 : 500
    })
    .then((status) => response.writeHead(status, status === 413 ? { connection: 'close' } : {}).end())
})
server.listen(Number(PORT), '127.0.0.1', () => console.log(`Listening on http://127.0.0.1:${server.address().port}/`))
