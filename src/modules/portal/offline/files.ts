import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import { accentsOf } from '@kitlane/display/color'
import { sha256 } from '../../../platform/crypto.ts'
import type { Page, PageAnswer, PageRequest, SetCookie } from '../../../platform/http/pages.ts'
import { selectRealms } from '../../businesses/queries.ts'
import { plain } from '../../emails/layout.ts'
import { speechOf } from '../language.ts'
import { colorOf, iconPath, neutralPaper, type Paper, paperOf } from '../paper.ts'
import { type Reader, visitOf } from '../personal/reader.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const scripts = { page: read('./page.js'), worker: read('./worker.js') }

const SCRIPT = 'text/javascript; charset=utf-8'
const SIZES = [192, 512]
const colorNamed = (given = '') => given.slice(0, 6).toLowerCase()

// A box on the business's color, in squares of 32: all of it lies in the circle that systems may cut out.
const SQUARES = 32
type Square = readonly [x: number, y: number, width: number, height: number]
const box: readonly Square[] = [
  [8, 9, 16, 4],
  [9, 14, 14, 9],
]
/** The label of the box, in the color behind it. */
const label: Square = [13, 16, 6, 4]

/** The icon of a business, as a drawing. `color`: rrggbb */
function icon(color: string): string {
  const { fill, ink } = accentsOf(color).light
  const rect = ([x, y, width, height]: Square, of: string) =>
    `<path d="M${x} ${y}h${width}v${height}h-${width}z" fill="${of}"/>`
  const parts = [rect([0, 0, SQUARES, SQUARES], fill), ...box.map((one) => rect(one, ink)), rect(label, fill)]
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SQUARES} ${SQUARES}">${parts.join('')}</svg>`
}

const isIn = ([left, top, width, height]: Square, x: number, y: number) =>
  x >= left && x < left + width && y >= top && y < top + height

/** The same as a PNG of two colors. `pixels`: of its width, a multiple of 32 */
function iconPng(color: string, pixels: number): Buffer {
  const { fill, ink } = accentsOf(color).light
  const scale = pixels / SQUARES
  const isInk = (x: number, y: number) => box.some((one) => isIn(one, x, y)) && !isIn(label, x, y)
  const across = Array.from({ length: SQUARES }, (_, x) => x)
  const rows = across.flatMap((y) => {
    const row = Buffer.concat([Buffer.alloc(1), ...across.map((x) => Buffer.alloc(scale, isInk(x, y) ? 1 : 0))])
    return Array<Buffer>(scale).fill(row)
  })
  const header = Buffer.alloc(13)
  header.writeUInt32BE(pixels, 0)
  header.writeUInt32BE(pixels, 4)
  // 8 bits for each pixel, which names a color of the palette.
  header.set([8, 3, 0, 0, 0], 8)
  const palette = Buffer.from(`${fill.slice(1)}${ink.slice(1)}`, 'hex')
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('PLTE', palette),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** What makes the personal pages an app that can be read offline. None of it is about a person. */
export const offlineFiles: readonly Page[] = [
  {
    method: 'GET',
    path: '/r/page.js',
    handler: async () => ({ document: { contentType: SCRIPT, body: scripts.page } }),
  },
  {
    method: 'GET',
    path: '/r/worker.js',
    handler: async () => ({
      document: { contentType: SCRIPT, body: scripts.worker },
      // Its pages begin with /r, above its own folder; it asks only this service.
      headers: { 'service-worker-allowed': '/r', 'content-security-policy': "default-src 'none'; connect-src 'self'" },
    }),
  },
  {
    method: 'GET',
    path: '/pages/app/:businessID/:mode',
    handler: async (request) => ({
      document: { contentType: 'application/manifest+json', body: JSON.stringify(await manifest(request)) },
    }),
  },
  {
    method: 'GET',
    path: '/pages/icons/:color/icon.svg',
    handler: async ({ params: { color } }) => ({
      document: { contentType: 'image/svg+xml', body: icon(colorNamed(color)), isForever: true },
    }),
  },
  {
    method: 'GET',
    path: '/pages/icons/:color/:size',
    handler: async ({ params: { color, size } }) => {
      const pixels = SIZES.find((one) => size === `${one}.png`) ?? 192
      return { document: { contentType: 'image/png', body: iconPng(colorNamed(color), pixels), isForever: true } }
    },
  },
]

/** What a browser reads of an app: the name and color of a business. It begins at a page that tells nothing. */
async function manifest(request: PageRequest): Promise<object> {
  const paper = await paperOfBusiness(request)
  const { t } = paper
  const name = plain(paper.name) || t('page.yourTestKit')
  return {
    id: `/r?app=${paper.app ?? ''}`,
    name,
    short_name: name.slice(0, 30),
    start_url: '/r',
    scope: '/r',
    display: 'standalone',
    background_color: '#ffffff',
    theme_color: `#${colorOf(paper)}`,
    icons: [
      { src: iconPath(paper, 'icon.svg'), sizes: 'any', type: 'image/svg+xml' },
      { src: iconPath(paper, '192.png'), sizes: '192x192', type: 'image/png', purpose: 'any' },
      { src: iconPath(paper, '512.png'), sizes: '512x512', type: 'image/png', purpose: 'any maskable' },
    ],
  }
}

async function paperOfBusiness(request: PageRequest): Promise<Paper> {
  const { businessID = '', mode: wanted } = request.params
  const speech = speechOf(request)
  const businessId = businessID.slice(0, 64)
  const realms = await request.asSystem((tx) => selectRealms(tx, businessId))
  const mode = wanted === 'sandbox' ? 'sandbox' : 'live'
  const found = realms.find((one) => one.mode === mode)
  if (!found) return neutralPaper(speech)
  return request.inRealm({ id: found.id, businessId, mode }, 'recipient', (tx) => paperOf(tx, speech))
}

const COOKIE = 'keep'
// As long as a link.
const COPY_SECONDS = 90 * 24 * 3600

/** Stands for a person in the cookie of a device that stores a report. */
const markOf = ({ realm, customerId }: Reader): string =>
  sha256(`keep ${realm.id} ${customerId}`).toString('base64url').slice(0, 22)

/** Whether this person keeps their report on this device. */
export const keepsCopy = (request: PageRequest, reader: Reader): boolean => request.cookie(COOKIE) === markOf(reader)

/** What remembers that they do, or no longer do. */
export const copyCookie = (reader: Reader | undefined): SetCookie => ({
  name: COOKIE,
  value: reader && markOf(reader),
  maxAgeSeconds: COPY_SECONDS,
})

/**
 * The page, which tells the service worker to drop the copy unless the person who stored it is here: so it ends with signing out, with the
 * visit, with the link, and when somebody else comes.
 */
export const endingCopy = (page: Page): Page => ({
  ...page,
  async handler(request): Promise<PageAnswer> {
    const answer = await page.handler(request)
    if (!('html' in answer) || !page.path.startsWith('/r')) return answer
    const reader = request.cookie(COOKIE) ? await visitOf(request, 'reader') : undefined
    if (reader?.isVerified && keepsCopy(request, reader)) return answer
    return { ...answer, headers: { ...answer.headers, 'kitlane-copy': 'drop' } }
  },
})
