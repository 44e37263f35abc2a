// Shows the payment provider's own fields, and has it save the card. Runs in the page of one card only.
const form = document.querySelector('form')
const button = form.querySelector('button')
const problem = document.querySelector('#problem')
const { key, secret, locale, saving, notLoaded } = form.dataset
const save = button.textContent

const say = (text) => {
  problem.textContent = text
  problem.hidden = text === ''
}

if (typeof Stripe === 'function') {
  const stripe = Stripe(key, { locale })
  const isDark = matchMedia('(prefers-color-scheme: dark)').matches
  const elements = stripe.elements({ clientSecret: secret, appearance: { theme: isDark ? 'night' : 'stripe' } })
  const element = elements.create('payment', { layout: 'tabs' })
  element.on('ready', () => {
    button.disabled = false
  })
  element.on('loaderror', () => say(notLoaded))
  element.mount('#element')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    say('')
    button.disabled = true
    button.textContent = saving
    // It leaves this page unless the card is refused.
    const { error } = await stripe.confirmSetup({ elements, confirmParams: { return_url: form.action } })
    say(error?.message ?? notLoaded)
    button.textContent = save
    button.disabled = false
  })
} else {
  say(notLoaded)
}
