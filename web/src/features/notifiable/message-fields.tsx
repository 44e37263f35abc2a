import { Facts } from '../../components/facts.tsx'
import { t } from '../../language/t.ts'

/** Fields of a message as the guide numbers them, what is told first. */
const names: Record<string, string> = {
  'PID-5': t('Name'),
  'PID-7': t('Date of birth'),
  'PID-8': t('Sex'),
  'PID-10': t('Race'),
  'PID-11': t('Address'),
  'PID-13': t('Phone'),
  'OBX-3': t('Test'),
  'OBX-5': t('Answer'),
  'OBX-6': t('Unit'),
  'OBX-8': t('Flag'),
  'OBX-11': t('State'),
  'OBX-19': t('Tested'),
  'OBX-23': t('Laboratory'),
  'SPM-4': t('Sample'),
  'SPM-17': t('Collected'),
  'ORC-12': t('Provider'),
  'ORC-21': t('Who orders'),
  'MSH-6': t('Sent to'),
  'MSH-10': t('Number'),
  'MSH-11': t('Processing'),
}

/** A message of HL7 2.5.1, field by field. */
export function MessageFields({ message }: { message: string }) {
  const facts = Object.entries(names).map(([at, name]): [string, string] => [`${name} (${at})`, fieldOf(message, at)])
  return <Facts title={t('Message')} facts={facts} />
}

const escapes: Record<string, string> = { F: '|', S: '^', T: '&', R: '~', E: '\\' }

/** The value of a field: its components, one after the other. */
function fieldOf(message: string, at: string): string {
  const [name = '', number] = at.split('-')
  const line = message.split(/[\r\n]+/).find((one) => one.startsWith(`${name}|`))
  // The separator itself is the first field of MSH.
  const text = line?.split('|')[Number(number) - (name === 'MSH' ? 1 : 0)] ?? ''
  const parts = text.split(/[~^&]/).filter(Boolean)
  return parts.join(', ').replaceAll(/\\([FSTRE])\\/g, (_, code: string) => escapes[code] ?? '')
}
