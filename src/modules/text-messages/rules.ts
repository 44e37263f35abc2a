const E164 = /^\+[1-9]\d{6,14}$/

/** A number as E.164 has it, `+15550101234`; undefined for one without its country: nobody guesses it. */
export function phoneOf(text: string): string | undefined {
  const number = text.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')
  return E164.test(number) ? number : undefined
}

export type Reply = 'stop' | 'help' | 'start'

// Those that carriers of the United States ask for (CTIA, Messaging Principles and Best Practices, 2023), and their
// translations in the languages of the pages.
const words: Readonly<Record<Reply, readonly string[]>> = {
  stop: [
    ...['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT', 'OPT OUT'],
    ...[
      'ALTO',
      'PARAR',
      'BAJA',
      'CANCELAR',
      'STOPP',
      'ABMELDEN',
      'ARRET',
      'ARRÊT',
      'DESABONNER',
      'توقف',
      'إيقاف',
      '停止',
      'ストップ',
    ],
  ],
  help: ['HELP', 'INFO', 'AYUDA', 'HILFE', 'AIDE', 'مساعدة', 'ヘルプ'],
  start: ['START', 'UNSTOP', 'YES'],
}

/** What somebody answers to a text message; undefined for anything but one word that is known. */
export function replyOf(body: string): Reply | undefined {
  const said = body
    .trim()
    .replace(/[.!。]+$/, '')
    .toUpperCase()
  return (Object.keys(words) as Reply[]).find((reply) => words[reply].includes(said))
}
