import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compressAssets } from './build/compress.ts'

const service = process.env.KITLANE_URL ?? 'http://127.0.0.1:8080'

// A page of a hundred files of 2 kB took the browser longer than its scripts did. What fewer pages share would make the first one load more.
const groups = [
  // What comes before the words of the language: what is shared reads them as it loads.
  { name: 'language', test: /\/web\/src\/(language\/(choice|t)|app\/(density|nonce))\.ts$/, priority: 2 },
  { name: 'shared', minShareCount: 20, priority: 1 },
]

export default defineConfig({
  base: '/app/',
  plugins: [react(), compressAssets()],
  // The sources: the package itself is built when it is packed.
  resolve: { alias: { '@kitlane/client': fileURLToPath(new URL('../client/src/index.ts', import.meta.url)) } },
  // The server puts a new nonce in place of this in every answer.
  html: { cspNonce: '__CSP_NONCE__' },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // Nothing may be inlined as a data: URL: the policy allows none for scripts and fonts.
    assetsInlineLimit: 0,
    target: 'es2022',
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: {
    port: 5180,
    // Cookies are SameSite=Strict and writes must come from the service's own origin: the proxy makes them the same.
    proxy: Object.fromEntries(['/api', '/operator', '/k', '/r'].map((path) => [path, { target: service }])),
  },
})
