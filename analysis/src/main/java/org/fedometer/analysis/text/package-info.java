/** Text for terminals: width, colors, and escaping of foreign text. */
package org.fedometer.analysis.text;
