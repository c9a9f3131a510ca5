// How the HTML report looks, by day and by night. Text of a style sheet.

export const PAGE_STYLE = `
:root { color-scheme: light dark; --line: #8884; --good: #2e7d32; --bad: #c62828; --warn: #b26a00; --dim: #777; --webhook: #6a1b9a; --sip: #1565c0; }
@media (prefers-color-scheme: dark) { :root { --good: #81c784; --bad: #ef9a9a; --warn: #ffcc80; --dim: #999; --webhook: #ce93d8; --sip: #90caf9; } }
* { box-sizing: border-box; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1.5rem; }
header { border-left: .5rem solid var(--bad); padding-left: 1rem; }
header.good { border-color: var(--good); }
h1 { margin: 0; font-size: 1.8rem; }
h2 { font-size: 1.05rem; margin: 1.4rem 0 .3rem; }
small, .clause, .hint { color: var(--dim); font-weight: normal; }
header dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(16rem, 1fr)); gap: .2rem 1.5rem; }
header dt { color: var(--dim); font-size: .85em; }
dd { margin: 0; overflow-wrap: anywhere; }
.trouble { border: 1px solid var(--bad); padding: .6rem .6rem .6rem 2rem; border-radius: .4rem; }
.coverage { display: flex; flex-wrap: wrap; gap: .3rem 2rem; margin: 1rem 0; }
.coverage details { flex: 1 1 18rem; }
.coverage p { color: var(--dim); overflow-wrap: anywhere; max-height: 12rem; overflow: auto; }
button { font: inherit; background: none; color: inherit; border: 1px solid var(--line); border-radius: .4rem; padding: .15rem .6rem; cursor: pointer; }
button[aria-pressed=true] { outline: 2px solid currentcolor; }
nav { display: flex; gap: .5rem; border-bottom: 1px solid var(--line); padding-bottom: .6rem; }
.filter { position: sticky; top: 0; background: canvas; display: flex; flex-wrap: wrap; gap: .4rem; padding: .7rem 0; align-items: center; }
.filter input { font: inherit; flex: 1 1 18rem; padding: .3rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: none; color: inherit; }
.pass, .conformant { color: var(--good); } .fail, .error { color: var(--bad); } .warn, .blocked, .unevaluable { color: var(--warn); }
.observed, .unsupported, .not-applicable { color: var(--dim); }
.check { border-bottom: 1px solid var(--line); padding: .15rem 0; }
.check summary { cursor: pointer; overflow-wrap: anywhere; }
.check dl { display: grid; grid-template-columns: 9rem 1fr; gap: .15rem 1rem; margin: .5rem 0 .5rem 1rem; }
.check dt { color: var(--dim); }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; font: 13px/1.4 ui-monospace, monospace; }
code { font: 13px ui-monospace, monospace; }
.exchanges { display: flex; flex-direction: column; gap: .2rem; align-items: flex-start; margin-left: 1rem; }
.exchanges button, #timeline button { font: 13px ui-monospace, monospace; text-align: left; }
#timeline ol { list-style: none; padding: 0; margin: 0; }
#timeline li { display: grid; grid-template-columns: 1fr 16rem 5rem; gap: .6rem; align-items: center; padding: 1px 0; }
#timeline button { border: 0; padding: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
#timeline i { display: block; height: .6rem; background: var(--good); border-radius: 2px; min-width: 2px; }
#timeline i.s4 { background: var(--warn); } #timeline i.s5, #timeline i.s0 { background: var(--bad); }
#timeline i.webhook { background: var(--webhook); } #timeline i.sip { background: var(--sip); }
#timeline .webhook button { color: var(--webhook); } #timeline .sip button { color: var(--sip); }
dialog { width: min(60rem, 94vw); max-height: 88vh; border: 1px solid var(--line); border-radius: .6rem; }
dialog h3 { margin: .8rem 0 .2rem; font-size: 1rem; }
[hidden] { display: none !important; }
`;
