// Runs before every other script of a document, in any browser: ECMAScript 5 only. Shows the sentence of too-old.html, and marks the document, where
// the browser cannot read the scripts of the page or lacks a function that they call.
(function () {
  var root = document.documentElement;
  var tooOld = !root.hasAttribute('data-syntax');
  var needed = NEEDED_FUNCTIONS;
  var i, j, path, value;
  root.removeAttribute('data-syntax');
  for (i = 0; i < needed.length; i++) {
    path = needed[i].split('.');
    value = window;
    for (j = 0; j < path.length && value; j++) value = value[path[j]];
    if (!value) tooOld = true;
  }
  if (!tooOld) return;
  root.setAttribute('data-too-old', '');
  // The address may carry a credential, and no other script takes it away.
  history.replaceState(null, '', location.pathname);
  var loading = document.querySelectorAll('#not-started, [data-loading]');
  for (i = 0; i < loading.length; i++) loading[i].parentNode.removeChild(loading[i]);
  var notice = document.getElementById('too-old');
  var texts = notice.getElementsByTagName('p');
  var wanted = [].slice.call(navigator.languages || [navigator.language || '']);
  try {
    wanted.unshift(localStorage.getItem('countersign.language') || '');
  } catch (_) {
    // The browser refuses storage.
  }
  var language = 'en';
  for (i = wanted.length - 1; i >= 0; i--)
    for (j = 0; j < texts.length; j++) if (texts[j].lang === wanted[i].slice(0, 2).toLowerCase()) language = texts[j].lang;
  for (j = 0; j < texts.length; j++) texts[j].hidden = texts[j].lang !== language;
  root.lang = language;
  notice.hidden = false;
})();
