/** Split a query into words; Chinese, which has no blanks, into the longest words that the index has. */
// The page may have Sphinx's function of this name already.
var splitQuery = (query) => {
  const known = (word) => [Search._index.terms, Search._index.titleterms].some((words) => Object.hasOwn(words, word));
  const split = (text) => {
    const words = [];
    let start = 0;
    while (start < text.length) {
      let end = Math.min(text.length, start + 8);
      while (end > start + 1 && !known(text.slice(start, end))) end -= 1;
      if (end > start + 1) words.push(text.slice(start, end));
      start = end;
    }
    return words.length ? words : [text];
  };
  const parts = query.match(/\p{Script=Han}+|[\p{Letter}\p{Number}_\p{Emoji_Presentation}]+/gu) ?? [];
  return parts.flatMap((part) => (/\p{Script=Han}/u.test(part) ? split(part) : [part]));
};
