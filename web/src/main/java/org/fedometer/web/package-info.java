/**
 * What pages in a browser are made of: style, charts and the library that draws them. No page, and
 * nothing of runs.
 */
package org.fedometer.web;
