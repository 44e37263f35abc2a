const E164 = /^\+[1-9]\d{6,14}$/

/** A number as E.164 has it, `+15550101234`; undefined for one without its country: nobody guesses it. */
export function phoneOf(text: string): string | undefined {
  const number = text.replaceAll(/[\s().\-/]/g, '').replace(/^00/, '+')
  return E164.test(number) ? number : undefined
}

/** Text messages that nobody scheduled: confirmations and answers to HELP, in a day. */
export const UNSCHEDULED_A_DAY = { number: 3, customer: 5 } as const
export const UNSCHEDULED_WINDOW_MS = 86_400_000

/** Whose text messages of a day are counted before they are sent. */
export type SentCount = 'sent_number' | 'sent_business'

export type Reply = 'stop' | 'help' | 'start'

/**
 * The words of a message, without what people write differently: case, accents, punctuation, invisible characters, wide letters,
 * and letters that are repeated (STOPPP). A stop sign says STOP.
 */
function wordsOf(text: string): string[] {
  const folded = text
    .replaceAll(/[🛑⛔🚫]/gu, ' STOP ')
    .normalize('NFKD')
    .replaceAll(/['’ʼ`\p{M}\p{Cf}]/gu, '')
    .toUpperCase()
    .replaceAll(/(\p{L})\1+/gu, '$1')
  const words = folded.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
  // S.T.O.P
  return words.length > 1 && words.every((word) => word.length === 1) ? [words.join('')] : words
}

const fold = (text: string) => wordsOf(text).join(' ')
const folded = (...lines: string[]) => new Set(lines.flatMap((line) => line.split(',')).map(fold))

// STOP to YES are those of carriers of the United States (CTIA, Messaging Principles and Best Practices, 2023). People may stop
// in any reasonable words (47 CFR 64.1200(a)(10)), so that ours include phrases, in the languages of the pages.
const help = folded('HELP, INFO, AYUDA, HILFE, AIDE, مساعدة, ヘルプ')
const start = folded('START, UNSTOP, YES')

// Stop at the beginning or at the end of a message.
const firm = folded(
  'STOP, STOPALL, STOPPEN, PARE, PAREN, DETENER, DETENGAN, DETENGANSE, ARRET, ARRETE, ARRETER, ARRETEZ, CESSEZ',
  'СТОП, ОТПИСАТЬСЯ, STØP, ستوب, DỪNG, HỦY, FERMA, SMETTI, 그만, 중지, 수신거부, बंद',
  'AUFHÖREN, توقف, توقفوا, التوقف, إيقاف, أوقف, أوقفوا, كفى',
)
// Stop if a message says nothing else.
const alone = folded(
  'CANCEL, END, QUIT, DISCONTINUE, HALT, REVOKE, REMOVE, DELETE, NO, OUT, ENOUGH, ALTO, BASTA, PARA, PARAR, BAJA, CANCELAR, FIN, TERMINAR, BORRAR',
  'ENDE, BEENDEN, KÜNDIGEN, SCHLUSS, AUS, LÖSCHEN, NEIN, ANNULER, TERMINER, SUPPRIMER, NON, إلغاء, الغ, لا',
)
// Stop wherever they are.
const phrases = folded(
  'UNSUBSCRIBE, UNSUBSCRIBE ME, OPTOUT, OPT OUT, OPTING OUT, OPT ME OUT, TAKE ME OFF, REMOVE ME, LEAVE ME ALONE, WRONG NUMBER',
  'DONT TEXT, DO NOT TEXT, DONT SEND, DO NOT SEND, DONT CONTACT, DO NOT CONTACT, DONT MESSAGE, DO NOT MESSAGE, STOP TEXTING',
  'STOP SENDING, STOP MESSAGING, STOP CONTACTING, QUIT TEXTING, NO MORE TEXTS, NO MORE MESSAGES, NO MORE SMS, NO TEXTS',
  'DARME DE BAJA, DARSE DE BAJA, DESUSCRIBIR, DESUSCRIBIRME, NO MAS MENSAJES, NO ENVIEN, NO ENVIE, NO MANDEN, NO ME ESCRIBAN',
  'NUMERO EQUIVOCADO, ABMELDEN, ABBESTELLEN, KEINE SMS, KEINE NACHRICHTEN, NICHT MEHR SCHREIBEN, FALSCHE NUMMER',
  'DESABONNER, DESABONNEZ, DESINSCRIRE, DESINSCRIVEZ, PLUS DE SMS, PLUS DE MESSAGES, PLUS DE TEXTOS, MAUVAIS NUMERO',
  'NOT INTERESTED, NO LONGER INTERESTED, DELETE MY NUMBER, DEJAR DE RECIBIR, DEJEN DE, NO QUIERO MAS, NO QUIERO RECIBIR, NO ME MANDEN',
  'NO ME ENVIEN, HÖR AUF, HÖREN SIE AUF, NICHT MEHR, KEIN INTERESSE, IN RUHE, DESABONNEMENT, DESINSCRIPTION, NE PLUS RECEVOIR',
  'PLUS INTERESSE, لا أريد, لا اريد, إلغاء الاشتراك, الغاء الاشتراك, لا ترسل, لا ترسلوا, رقم خاطئ',
)
// Written without spaces.
const unspaced = [
  '停止',
  '解除',
  'ストップ',
  '止めて',
  'やめて',
  '送らないで',
  '退会',
  '拒否',
  '不要',
  'キャンセル',
  '退订',
  '退訂',
  '取消',
].map(fold)
const withoutMeaning = folded(
  'PLEASE, PLS, PLZ, THANKS, THANK, YOU, U, NOW, OK, OKAY, HI, HELLO, JUST, I, WANT, WOULD, LIKE, TO, ME, MY, THIS, THESE, THE, THAT',
  'IT, ALL, ANY, MORE, TEXT, TEXTS, TEXTING, MESSAGE, MESSAGES, MESSAGING, MSG, MSGS, SMS, SEND, SENDING, FROM, REMINDERS, IMMEDIATELY',
  'SERVICE, SUBSCRIPTION, CONSENT, BITTE, DANKE, JETZT, SOFORT, ALLE, DIE, DIESE, DER, NACHRICHTEN, MEHR, POR, FAVOR, GRACIAS, YA',
  'AHORA, LOS, ESTOS, MENSAJES, DE, TEXTO, SIL, VOUS, TE, PLAIT, SVP, STP, MERCI, MAINTENANT, TOUT, TOUS, LES, CES, من, فضلك, رجاء',
  'شكرا, الرسائل, هذه, الآن',
)
const denials = folded('DONT, NOT, NEVER, CANT, WONT, NICHT, NIE, JAMAIS, PAS, NUNCA, لا')
// An appointment, not a request.
const visits = folded('STOP BY, STOP IN, STOP AT')

/** What somebody answers to a text message; undefined for what asks for nothing that is known. In doubt it is STOP. */
export function replyOf(body: string): Reply | undefined {
  const words = wordsOf(body)
  const text = words.join(' ')
  if (start.has(text)) return 'start'
  if (help.has(text)) return 'help'
  if (asksToStop(words, text, /[?？؟]\s*$/.test(body))) return 'stop'
  const [meant, ...others] = words.filter((word) => !withoutMeaning.has(word))
  return meant !== undefined && others.length === 0 && start.has(meant) ? 'start' : undefined
}

function asksToStop(words: readonly string[], text: string, isQuestion: boolean): boolean {
  const has = (phrase: string) => ` ${text} `.includes(` ${phrase} `)
  if ([...phrases].some(has) || unspaced.some((word) => text.includes(word))) return true
  const meant = words.filter((word) => !withoutMeaning.has(word))
  if (meant.length > 0 && meant.every((word) => firm.has(word) || alone.has(word))) return true
  if ([...visits].some(has)) return false
  if (firm.has(meant[0] ?? '')) return true
  if (isQuestion) return false
  return firm.has(meant.at(-1) ?? '') && !words.some((word) => denials.has(word))
}
