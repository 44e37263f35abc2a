import { money } from '../lib/money.js'
import { listKits } from '../lib/orders.js'

export const dynamic = 'force-dynamic'

export default async function Kits() {
  const kits = await listKits()
  return (
    <>
      <h1>Test at home</h1>
      <ul className="kits">
        {kits.map(({ kitType, name, biomarkers, price }) => (
          <li key={kitType}>
            <a href={`/kits/${kitType}`}>
              <strong>{name}</strong>
              <span>{biomarkers.length} values</span>
              <span>{money(price)}</span>
            </a>
          </li>
        ))}
      </ul>
    </>
  )
}
