import './shop.css'

export const metadata = { title: 'Kit shop' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>
        <header>
          <a href="/">Kit shop</a>
        </header>
        <main>{children}</main>
      </body>
    </html>
  )
}
