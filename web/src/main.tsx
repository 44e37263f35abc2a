import './app/mantine.css'
import './app/base.css'
import { showDensity } from './app/density.ts'
import { noteStyleNonce } from './app/nonce.ts'
import { loadLanguage } from './language/choice.ts'

noteStyleNonce()
showDensity()
await loadLanguage()
const { start } = await import('./app/start.tsx')
start()
