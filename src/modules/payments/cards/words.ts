/** What the page says. Its readers are those of the dashboard, which has these languages. */
const english = {
  title: 'Add a card',
  for: 'For {business}',
  element: 'Card number, date and code go to the payment provider. {business} and Kitlane never see them.',
  save: 'Save the card',
  saving: 'Saving…',
  back: 'Back to Billing',
  noScript: 'Entering a card needs JavaScript. Switch it on, then load this page again.',
  notLoaded: 'The fields of the payment provider could not be loaded. Check the connection, then load this page again.',
  declined: 'The card was not accepted. Check its data or try another one.',
  test: 'Simulated: no real card is asked for, and no money moves.',
  choose: 'Which test card?',
  pays: 'A card that pays',
  confirms: 'A card whose bank asks its holder now',
  refused: 'A card that is declined now',
  declines: 'A card that is saved, and declined when it is charged',
  absent: 'A card that is saved, and whose bank asks when nobody is there',
  slow: 'A card that takes three seconds',
  lost: 'A card whose answer is lost',
  bank: 'The bank asks: is it you?',
  bankWhy: 'Here a real bank would show its own page (3-D Secure).',
  confirm: 'Yes, it is me',
  refuse: 'No',
  processing: 'The bank is still checking the card',
  processingNext: 'It is saved by itself as soon as the bank agrees. This page can be closed.',
  over: 'This page is no longer valid',
  overNext: 'It works once and for half an hour. Begin anew under Billing.',
  failed: 'Something went wrong',
  failedNext: 'Nothing was charged. Go back and try again.',
}

type Words = typeof english

const spanish: Words = {
  title: 'Agregar una tarjeta',
  for: 'Para {business}',
  element:
    'El número, la fecha y el código de la tarjeta van al proveedor de pagos. {business} y Kitlane nunca los ven.',
  save: 'Guardar la tarjeta',
  saving: 'Guardando…',
  back: 'Volver a Facturación',
  noScript: 'Para ingresar una tarjeta se necesita JavaScript. Hay que activarlo y volver a cargar esta página.',
  notLoaded:
    'No se pudieron cargar los campos del proveedor de pagos. Revisar la conexión y volver a cargar esta página.',
  declined: 'La tarjeta no fue aceptada. Revisar sus datos o probar con otra.',
  test: 'Simulación: no se pide ninguna tarjeta real y no se mueve dinero.',
  choose: '¿Qué tarjeta de prueba?',
  pays: 'Una tarjeta que paga',
  confirms: 'Una tarjeta cuyo banco pregunta ahora a su titular',
  refused: 'Una tarjeta que se rechaza ahora',
  declines: 'Una tarjeta que se guarda y se rechaza al cobrar',
  absent: 'Una tarjeta que se guarda y cuyo banco pregunta cuando no hay nadie',
  slow: 'Una tarjeta que tarda tres segundos',
  lost: 'Una tarjeta cuya respuesta se pierde',
  bank: 'El banco pregunta: ¿es la persona titular?',
  bankWhy: 'Aquí un banco real mostraría su propia página (3-D Secure).',
  confirm: 'Sí, lo es',
  refuse: 'No',
  processing: 'El banco todavía está revisando la tarjeta',
  processingNext: 'Se guarda por sí sola en cuanto el banco acepte. Esta página se puede cerrar.',
  over: 'Esta página ya no es válida',
  overNext: 'Sirve una vez y durante media hora. Empezar de nuevo en Facturación.',
  failed: 'Algo salió mal',
  failedNext: 'No se cobró nada. Volver e intentar de nuevo.',
}

export const languages = { en: english, es: spanish } as const
export type Language = keyof typeof languages

/** The first of these languages that the page has; English where it has none. */
export const languageOf = (wanted: readonly string[]): Language =>
  wanted.map((tag) => tag.slice(0, 2).toLowerCase()).find((tag): tag is Language => Object.hasOwn(languages, tag)) ??
  'en'
