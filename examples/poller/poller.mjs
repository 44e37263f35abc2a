// Appends every event to a file, one a line. The last line is the cursor: after a stop, or a crash, it goes on from there, and
// no event is missed or written twice. For programs that cannot take webhooks.
import { existsSync, fsyncSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Kitlane } from '@kitlane/client'

const { KITLANE_TOKEN = '', KITLANE_URL = '', EVENTS_FILE = 'events.jsonl', POLL_SECONDS = '15' } = process.env
const once = process.argv.includes('--once')
const kitlane = new Kitlane({ token: KITLANE_TOKEN, baseUrl: KITLANE_URL })

/** The ID of the last event that is kept. What a crash left of a line goes away: its event comes again. */
function readCursor() {
  const text = existsSync(EVENTS_FILE) ? readFileSync(EVENTS_FILE, 'utf8') : ''
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  if (whole !== text) truncateSync(EVENTS_FILE, Buffer.byteLength(whole))
  const last = whole.trimEnd().split('\n').at(-1)
  return last ? JSON.parse(last).id : undefined
}

let after = readCursor()
const file = openSync(EVENTS_FILE, 'a')
for (;;) {
  let count = 0
  // A page at a time: the next one is asked for when this one is on the disk.
  for await (const { data } of kitlane.events.list(after ? { after } : {}).pages()) {
    if (data.length === 0) break
    writeSync(file, data.map((event) => `${JSON.stringify(event)}\n`).join(''))
    fsyncSync(file)
    after = data.at(-1).id
    count += data.length
  }
  if (count > 0) console.log(`${count} new`)
  if (once) break
  await delay(Number(POLL_SECONDS) * 1000)
}
