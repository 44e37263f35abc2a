export interface Draft {
  first_name: string
  last_name: string
  email: string
  phone: string
  street1: string
  street2: string
  city: string
  state: string
  zip: string
  country: string
  externalID: string
  tags: string[]
  notify: boolean
  payment: string
  items: Record<string, number>
}

export const emptyDraft: Draft = {
  first_name: '',
  last_name: '',
  email: '',
  phone: '',
  street1: '',
  street2: '',
  city: '',
  state: '',
  zip: '',
  country: 'US',
  externalID: '',
  tags: [],
  notify: true,
  payment: 'default',
  items: {},
}

// The price depends on panels and payment alone: until the form is filled in, this replaces the recipient.
const NOBODY = {
  first_name: '-',
  last_name: '-',
  email: 'nobody@example.com',
  // Ireland needs neither a state nor a postcode.
  address: { street1: '1', city: 'x', country: 'IE' },
}

/** The request that a draft makes. */
export function requestOf(draft: Draft) {
  const text = (value: string) => value.trim() || undefined
  return {
    ...itemsOf(draft),
    recipient: {
      first_name: draft.first_name.trim(),
      last_name: draft.last_name.trim(),
      email: draft.email.trim(),
      phone: text(draft.phone),
      address: {
        street1: draft.street1.trim(),
        street2: text(draft.street2),
        city: draft.city.trim(),
        state: draft.state.trim(),
        zip: draft.zip.trim(),
        country: text(draft.country)?.toUpperCase(),
      },
    },
    externalID: text(draft.externalID),
    ...(draft.tags.length > 0 && { externalTags: draft.tags }),
    isNotifyReceiver: draft.notify,
  }
}

export function priceRequestOf(draft: Draft) {
  return { ...itemsOf(draft), recipient: NOBODY }
}

function itemsOf({ items, payment }: Draft) {
  const kit_types = Object.entries(items)
    .filter(([, quantity]) => quantity > 0)
    .map(([kitType, quantity]) => ({ kitType, quantity }))
  return { kit_types, ...(payment !== 'default' && { paymentMethod: payment }) }
}
