import { describe, expect, it } from 'vitest'
import { replyOf } from '../../src/modules/text-messages/rules.ts'

const stops = [
  ...[
    'STOP',
    ' stop. ',
    'Please stop',
    '🛑 STOP',
    '🛑',
    'pls stop!!',
    'STOP STOP STOP',
    'STOPPP',
    's.t.o.p',
    'ＳＴＯＰ',
    '"STOP"',
  ],
  ...[
    'St\u200bop',
    '\u202astop\u202c',
    'STOP\n\nSent from my phone',
    'stop all',
    'STOPALL',
    'opt-out',
    'Opt out please',
    'REVOKE',
  ],
  ...[
    'stop texting me',
    'Stop sending me messages now',
    'Stop!!! I never signed up',
    'this is annoying, STOP',
    'I want to stop',
  ],
  ...[
    'don’t text me',
    'Do not contact me',
    'unsubscribe me',
    'remove me from your list',
    'wrong number',
    'Cancel',
    'quit',
    'END',
  ],
  ...['Stop - who is this?', 'who is this? stop', 'not interested', 'HALT', 'delete my number please'],
  ...[
    'Hör auf',
    'Bitte nicht mehr',
    'kein Interesse',
    'Lasst mich in Ruhe',
    'Stopp',
    'bitte stopp',
    'Bitte abmelden',
    'Keine SMS mehr',
    'beenden',
  ],
  ...[
    'no quiero más mensajes',
    'dejar de recibir',
    'no me envíen más',
    'Deténganse',
    'désinscription',
    'ne plus recevoir',
  ],
  ...['لا أريد رسائل', '退会', '受信拒否', '不要です', 'キャンセル'],
  ...['Parar', 'por favor paren', 'BAJA', 'No más mensajes', 'NO MAS MENSAJES', 'alto'],
  ...['Arrêtez', 'arret', 'ARRÊTER svp', 'Stop s’il vous plaît', 'plus de SMS', 'désabonner'],
  ...['توقف', 'أوقف الرسائل من فضلك', 'إيقاف', 'ايقاف', 'إلغاء'],
  ...['ستوب', 'стоп', 'Стоп!', 'STØPP', 'dừng', 'HỦY', '수신거부', 'बंद'],
  ...['停止', '停止してください。', '配信停止', 'ｽﾄｯﾌﾟ', 'ストップ', 'やめてください'],
]
const starts = ['START please', 'START', 'start.', 'Yes', 'UNSTOP', ' Start! ']
const helps = ['help', 'HELP!', 'info', 'ヘルプ', 'مساعدة', 'Ayuda']
const others = [
  ...[
    '',
    'thank you',
    'ok',
    '👍',
    'no problem',
    'when will it end?',
    'should I stop taking biotin?',
    'do not stop',
    'stop by the lab',
  ],
  ...['cancel my appointment', 'I will start on Monday', 'yes I got the kit'],
]

describe('what somebody answers to a text message', () => {
  it.each(stops)('is STOP: %j', (body) => expect(replyOf(body)).toBe('stop'))
  it.each(starts)('is START: %j', (body) => expect(replyOf(body)).toBe('start'))
  it.each(helps)('is HELP: %j', (body) => expect(replyOf(body)).toBe('help'))
  it.each(others)('asks for nothing: %j', (body) => expect(replyOf(body)).toBeUndefined())
})
