'use client'

import { useActionState, useState } from 'react'
import { place } from './place.js'

const fields = [
  ['first_name', 'First name', 'given-name', true],
  ['last_name', 'Last name', 'family-name', true],
  ['email', 'E-mail', 'email', true],
  ['street1', 'Street and number', 'address-line1', true],
  ['street2', 'Flat or floor', 'address-line2', false],
  ['city', 'City', 'address-level2', true],
  ['state', 'State', 'address-level1', true],
  ['zip', 'ZIP', 'postal-code', true],
]

export function Checkout({ kitType, newId }) {
  const [{ id, given = {}, problem }, act, isPending] = useActionState(place, {})
  // The page may be made anew while the form stays: the order keeps its ID.
  const [firstId] = useState(newId)
  return (
    <form action={act}>
      <input type="hidden" name="id" value={id ?? firstId} />
      <input type="hidden" name="kitType" value={kitType} />
      {problem && <p role="alert">{problem}</p>}
      {fields.map(([name, label, autoComplete, required]) => (
        <label key={name}>
          {label}
          <input
            name={name}
            type={name === 'email' ? 'email' : 'text'}
            autoComplete={autoComplete}
            required={required}
            defaultValue={given[name]}
          />
        </label>
      ))}
      <button type="submit" disabled={isPending}>
        {isPending ? 'Ordering…' : 'Order the kit'}
      </button>
    </form>
  )
}
