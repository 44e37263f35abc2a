import { readFileSync } from 'node:fs'
import type { Page } from '../../../platform/http/pages.ts'
import { icon, iconPng } from './icon.ts'
import { manifest } from './manifest.ts'

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')
const scripts = { page: read('./page.js'), worker: read('./worker.js') }

const SCRIPT = 'text/javascript; charset=utf-8'
const SIZES = [192, 512]
const colorOf = (given = '') => given.slice(0, 6).toLowerCase()

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
      document: { contentType: 'image/svg+xml', body: icon(colorOf(color)), isForever: true },
    }),
  },
  {
    method: 'GET',
    path: '/pages/icons/:color/:size',
    handler: async ({ params: { color, size } }) => {
      const pixels = SIZES.find((one) => size === `${one}.png`) ?? 192
      return { document: { contentType: 'image/png', body: iconPng(colorOf(color), pixels), isForever: true } }
    },
  },
]
